// SPDX-License-Identifier: GPL-2.0
// The buttons of the page, its keys, and the list of both.
(function () {
"use strict";

const HELP = [
	["Everywhere", [
		["Tab", "next view or control"],
		["Escape", "clear the selection: all samples again"],
		["c", "next colours of the dots"],
		["d", "dark or light"],
		["?", "this list"],
	]],
	["Over time", [
		["← →", "move the range, or begin one"],
		["Shift ← →", "shorten or extend the range"],
		["Page Up, Page Down", "the range before, after"],
		["Home, End", "first, last range"],
		["↑ ↓ + - 0", "zoom in, out, all"],
		["[ ]", "values before, after"],
		["drag, Shift drag, wheel", "select a range, move, zoom"],
	]],
	["Roofline", [
		["← → ↑ ↓", "move"],
		["+ - 0", "zoom in, out, all"],
		["[ ]", "values of the previous, next sample"],
		["m M", "values of the next, previous average or ceiling"],
		["Shift ← → ↑ ↓", "begin or move a region of samples"],
		["Page Up, Page Down", "enlarge or shrink that region"],
		["drag, Shift drag, wheel", "move, select samples, zoom"],
	]],
];

function fillHelp(dialog) {
	dialog.append("h2").text("Keys");
	HELP.forEach(([title, keys]) => {
		dialog.append("h3").text(title);
		const rows = dialog.append("table").selectAll("tr").data(keys).enter().append("tr");

		rows.append("th").text(d => d[0]);
		rows.append("td").text(d => d[1]);
	});
	dialog.append("p").text("The wheel zooms a view that was clicked, or with Ctrl. A sample " +
				"belongs to the range in which its middle is.");
	dialog.append("form").attr("method", "dialog").append("button").text("Close");
}

function coloursOf(model) {
	const colours = [["time", "time"], ["bound", "what binds"], ["simd", "SIMD type"],
			 ["thread", "thread"]];

	if (model.table.functions)
		colours.push(["function", "function"]);
	return model.data.runs.length > 1 ? colours.concat([["run", "run"]]) : colours;
}

kermon.controls = function (bar, model) {
	const dialog = d3.select("#help"), colours = coloursOf(model);
	const label = bar.append("label").text("Colours ");
	const select = label.append("select").attr("id", "colours").on("change", () =>
		setColours(select.property("value")));

	function setColours(name) {
		model.colours = name;
		select.property("value", name);
		model.changed("colours");
	}

	const actions = {
		clear() {
			model.selection.clear();
			model.changed("selection");
		},
		theme() {
			model.theme.toggle();
			model.changed("theme");
		},
		colours() {
			const at = colours.findIndex(d => d[0] === model.colours);

			setColours(colours[(at + 1) % colours.length][0]);
		},
		help() {
			if (dialog.property("open"))
				dialog.node().close();
			else
				dialog.node().showModal();
		},
	};
	const button = (id, text, act) => bar.append("button").attr("type", "button")
		.attr("id", id).text(text).on("click", act);
	const keys = { Escape: actions.clear, c: actions.colours, d: actions.theme,
		       "?": actions.help };

	select.selectAll("option").data(colours).enter().append("option")
		.attr("value", d => d[0]).text(d => d[1]);
	button("clear", "All samples", actions.clear);
	button("theme", "Dark or light", actions.theme);
	button("keys", "Keys ?", actions.help);
	fillHelp(dialog);
	setColours(colours.some(d => d[0] === model.data.dots) ? model.data.dots : "time");
	d3.select(document).on("keydown", () => {
		const { event } = d3, act = keys[event.key];

		if (!act || event.ctrlKey || event.altKey || event.metaKey ||
		    event.target.tagName === "SELECT")
			return;
		// Escape closes the list first
		if (event.key === "Escape" && dialog.property("open"))
			return;
		event.preventDefault();
		act();
	});
};
})();
