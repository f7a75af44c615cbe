// SPDX-License-Identifier: GPL-2.0
// What the colours of dots mean, and which ceilings are shown.
(function () {
"use strict";

const { si } = kermon.text;

// [colour, name] of each colour of the dots.
function keyOf(model) {
	const { data, theme, ceilings } = model;

	switch (model.colours) {
	case "bound": {
		const used = new Map();

		model.bound.forEach(index => {
			if (index >= 0)
				used.set(ceilings.label(data.ceilings[index]),
					 theme.bound(data.ceilings[index]));
		});
		return Array.from(used, ([name, colour]) => [colour, name]);
	}
	case "simd":
		return data.simd.map((name, i) => [theme.category(i), name]);
	case "thread":
		return data.threads.slice(0, theme.categories.length).map((_, i) =>
			[theme.category(i), model.threadName(i)]);
	case "function":
		return data.functions.slice(0, theme.categories.length).map((_, i) =>
			[theme.category(i), model.functionName(i)]);
	case "run":
		return data.runs.map((run, i) => [theme.category(i), run.label]);
	default:
		return null;
	}
}

function drawRamp(key, model) {
	const { start, end } = model.table;

	key.append("span").text(`${kermon.text.plain(start)}\u202fs`);
	key.append("span").attr("class", "ramp").style("background",
		`linear-gradient(to right, ${model.theme.ramp.filter((_, i) => i % 9 === 0).join()})`);
	key.append("span").text(`${kermon.text.plain(end)}\u202fs`);
}

function listCeilings(parent, model, indexes) {
	const { list } = model.ceilings;
	const rows = parent.append("ul").attr("class", "ceilings").selectAll("li").data(indexes).enter()
		.append("li").append("label");

	rows.append("input").attr("type", "checkbox").attr("data-ceiling", index => index)
		.on("change", index => {
			model.ceilings.toggle(index);
			model.changed("ceilings");
		});
	rows.append("span").attr("class", "stroke")
		.classed("theoretical", index => list[index].theoretical)
		.classed("other", index => model.ceilings.machineOf(list[index]) > 0);
	rows.append("span").attr("class", "name").text(index => model.ceilings.name(list[index]));
	rows.append("span").attr("class", "value").text(index =>
		si(list[index].value, list[index].kind === "flops" ? "FLOP/s" : "B/s") +
		(list[index].theoretical ? ", theoretical" : ""));
}

kermon.view({
	name: "legend",
	title: "Legend",
	place: "left",

	create(body, model) {
		const key = body.append("div").attr("class", "key");
		const { list } = model.ceilings, indexes = d3.range(list.length);
		const others = indexes.filter(index => !list[index].shown);

		model.ceilings.machines.forEach(machine => {
			body.append("p").attr("class", "machine").text(model.ceilings.machineName(machine));
			listCeilings(body, model, indexes.filter(index => list[index].shown &&
				model.ceilings.machineOf(list[index]) === machine));
		});
		if (others.length) {
			const details = body.append("details");

			details.append("summary").text(`${others.length} other ceilings`);
			listCeilings(details, model, others);
		}
		const rows = body.selectAll("li");

		return {
			update() {
				const entries = keyOf(model);

				rows.select("input").property("checked", index => model.ceilings.shown[index]);
				rows.select(".stroke").style("border-color", index =>
					model.theme.bound(list[index]))
					.classed("several", index => model.ceilings.isOfSeveral(list[index]));
				key.html("");
				if (!entries) {
					drawRamp(key, model);
					return;
				}
				entries.forEach(([colour, name]) => {
					const entry = key.append("span").attr("class", "entry");

					entry.append("span").attr("class", "swatch")
						.style("background", colour);
					entry.append("span").text(name);
				});
			},
		};
	},
});
})();
