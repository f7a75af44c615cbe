// SPDX-License-Identifier: GPL-2.0
// Sums of the selected samples, and a row for each thread.
(function () {
"use strict";

const LIMIT = 200;	// rows of threads

const { si, exact, plain, percent } = kermon.text;

function fill(rows, table) {
	const shown = table.selectAll("tr").data(rows, d => d[0]);
	const entered = shown.enter().append("tr");

	entered.append("th").attr("scope", "row").text(d => d[0]);
	entered.append("td");
	shown.exit().remove();
	shown.merge(entered).order().attr("data-name", d => d[0]).attr("title", d => d[2] || null)
		.attr("data-value", d => d[3]).select("td").text(d => d[1]);
}

// Rows [name, text, tooltip, value].
function rowsOf(model) {
	const { all, once } = model.selection.sums, { data, selection } = model;
	const range = selection.range || [model.table.start, model.table.end];
	const partial = all.flops && all.flops < all.count ?
		` (${all.flops} of ${all.count} samples)` : "";
	const rows = [
		["samples", exact(all.count), null, all.count],
		["range", `${plain(range[0], 6)} to ${plain(range[1], 6)}\u202fs`, null, null],
		["wall time", si(once.covered, "s"), "in which a thread was on a CPU, of the selected samples",
		 once.covered],
		["threads at a time", plain(once.parallel), "CPU time by wall time", once.parallel],
		["CPU time", si(all.time, "s"), exact(all.time, "s"), all.time],
		["operations", si(all.flops ? all.flop : NaN, "FLOP") + partial,
		 exact(all.flop, "FLOP"), all.flop],
		["bytes", si(all.pairs ? all.bytes : NaN, "B"), exact(all.bytes, "B"), all.bytes],
		["performance", si(once.rate, "FLOP/s"), "operations per wall time",
		 once.rate],
		["per thread", si(all.rate, "FLOP/s"), "operations per CPU time", all.rate],
		["intensity", `${plain(all.intensity, 4)}\u202fFLOP/byte`,
		 `${exact(all.intensityLow)} to ${exact(all.intensityHigh)}`, all.intensity],
		["bandwidth", si(all.bandwidth, "B/s"), "per thread", all.bandwidth],
		["instructions per cycle", plain(all.ipc), null, all.ipc],
	];

	data.domains.forEach((domain, d) => {
		const joules = once.joules[d];

		if (!kermon.text.isKnown(joules))
			return;
		rows.push([`${domain} energy`, si(joules, "J"),
			   "of all packages; where samples overlap, each instant counts once", joules]);
		rows.push([`${domain} power`, si(joules / once.covered, "W"), null,
			   joules / once.covered]);
		if (all.flop > 0 && domain === "package")
			rows.push([`${domain} energy per operation`, si(once.counted[d] / all.flop, "J/FLOP"),
				   "of samples whose operations were counted", once.counted[d] / all.flop]);
	});
	if (all.estimated)
		rows.push(["estimated", `${exact(all.estimated)} samples ` +
			   `(${percent(all.estimated / all.count)})`, null, all.estimated]);
	return rows;
}

kermon.view({
	name: "sums",
	title: "Selection",
	place: "right",
	applies: model => model.table.length > 0,

	create(body, model) {
		const state = body.append("p").attr("class", "state").attr("aria-live", "polite");
		const verdict = body.append("p").attr("class", "verdict");
		const table = body.append("table").attr("class", "pairs").append("tbody");

		return {
			update() {
				const { selection } = model, { all, once } = selection.sums;
				const hidden = selection.hidden.some(Boolean);

				state.text(selection.isEmpty() && !hidden ? "all samples" : [
					selection.range && "a range of time",
					selection.region && "a region of the roofline",
					hidden && "threads that are not hidden",
				].filter(Boolean).join(", "));
				verdict.text(model.ceilings.verdict(all.intensity, once.rate, all.simd,
								    model.machineOfSelection(),
								    once.parallel));
				fill(rowsOf(model), table);
			},
		};
	},
});

const COLUMNS = [
	["thread", (model, i) => model.threadName(i)],
	["samples", (model, i, sum) => exact(sum.count)],
	["CPU time", (model, i, sum) => si(sum.time, "s")],
	["performance", (model, i, sum) => si(sum.rate, "FLOP/s")],
	["FLOP/byte", (model, i, sum) => plain(sum.intensity, 4)],
	["bandwidth", (model, i, sum) => si(sum.bandwidth, "B/s")],
];

// @of: the threads or functions that the rows are of
function columnsOf(model, of) {
	// the first sentence
	const bound = ["bound", (_, i, sum) => model.ceilings.verdict(sum.intensity, sum.rate, sum.simd,
		model.machineOf(of[i].run)).split(". ")[0]];

	return COLUMNS.concat([bound], model.data.domains.map((domain, d) =>
		[`${domain}`, (_, i, sum) => si(sum.joules[d], "J")]));
}

function enterRow(row, model) {
	const cell = row.append("td").append("label");

	cell.append("input").attr("type", "checkbox").on("change", i => {
		model.selection.toggle(i);
		model.changed("selection");
	});
	cell.append("span").attr("class", "swatch");
	cell.append("span").attr("class", "name");
	cell.append("button").attr("type", "button").text("only").on("click", i => {
		model.selection.only(i);
		model.changed("selection");
	});
}

kermon.view({
	name: "threads",
	title: "Threads",
	place: "wide",
	hint: "Of the selected samples; energy is that of the package while the thread ran.",
	applies: model => model.data.threads.length > 0 && model.table.length > 0,

	create(body, model) {
		const table = body.append("table").attr("class", "list");
		const columns = columnsOf(model, model.data.threads);
		const { sums } = model.selection;
		// the order stays as it is in the beginning
		const order = d3.range(sums.threads.length).sort((a, b) =>
			sums.threads[b].flop - sums.threads[a].flop ||
			sums.threads[b].time - sums.threads[a].time);

		table.append("thead").append("tr").selectAll("th").data(columns).enter().append("th")
			.attr("scope", "col").text(d => d[0]);
		const rows = table.append("tbody").selectAll("tr").data(order.slice(0, LIMIT)).enter()
			.append("tr").attr("data-thread", i => i);

		rows.each(function () {
			enterRow(d3.select(this), model);
		});
		columns.slice(1).forEach(() => rows.append("td"));
		if (order.length > LIMIT)
			body.append("p").attr("class", "note")
				.text(`${order.length - LIMIT} more threads are not listed; sums have them.`);
		return {
			update() {
				const { selection, theme } = model;

				rows.classed("hidden", i => selection.hidden[i]);
				rows.select("input").property("checked", i => !selection.hidden[i])
					.attr("aria-label", i => model.threadName(i));
				rows.select(".swatch").style("background", i => theme.category(i));
				rows.select(".name").text(i => model.threadName(i));
				rows.each(function (i) {
					d3.select(this).selectAll("td").each(function (_, column) {
						if (column)
							this.textContent = columns[column][1](model, i,
								selection.sums.threads[i]);
					});
				});
			},
		};
	},
});
// Where samples ended, if that was looked up.
kermon.view({
	name: "functions",
	title: "Functions",
	place: "wide",
	hint: "Of the selected samples: a sample counts as that of the function in which it ended.",
	applies: model => model.table.functions > 0,

	create(body, model) {
		const table = body.append("table").attr("class", "list");
		const columns = [["function", (_, i) => model.functionName(i)],
				 ["file", (_, i) => model.data.functions[i].file || "–"],
				 ...columnsOf(model, model.data.functions).slice(1)];
		const order = d3.range(model.table.functions).sort((a, b) =>
			model.functionSum(b).time - model.functionSum(a).time);

		table.append("thead").append("tr").selectAll("th").data(columns).enter().append("th")
			.attr("scope", "col").text(d => d[0]);
		const rows = table.append("tbody").selectAll("tr").data(order.slice(0, LIMIT)).enter()
			.append("tr").attr("data-function", i => i);

		columns.forEach(() => rows.append("td"));
		if (order.some(model.isWhole))
			body.append("p").attr("class", "note").text("Slices of time are of several functions: " +
				"sums of these are of the whole recording, whatever is selected.");
		if (order.length > LIMIT)
			body.append("p").attr("class", "note")
				.text(`${order.length - LIMIT} more functions are not listed; sums have them.`);
		return {
			update() {
				rows.each(function (i) {
					d3.select(this).selectAll("td").each(function (_, column) {
						this.textContent = columns[column][1](model, i,
							model.functionSum(i));
					});
				});
			},
		};
	},
});
})();
