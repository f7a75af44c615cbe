// SPDX-License-Identifier: GPL-2.0
// The views of the page and what they have in common. A view is an object
//	{ name, title, place: "left" | "right" | "wide", create(body, model) }
// whose create() returns an object with
//	update(changed)	draw again; changed has "all", "selection", "time", "theme",
//			"colours", "ceilings" or "size"
//	keys		optional: { key: function (event) }, while the view has the focus
// To change the selection, change model.selection and call model.changed("selection").
(function () {
"use strict";

const views = [];

kermon.view = view => views.push(view);

const number = value => value === null || value === undefined ? NaN : value;

// What all views share.
kermon.model = function (data) {
	const table = kermon.table(data), stays = kermon.stays(data, table);
	const model = {
		data,
		table,
		stays,
		ceilings: kermon.ceilings(data.ceilings, data.simd || [], data.machines || []),
		selection: kermon.selection(table, kermon.energy(stays), data.runs),
		theme: kermon.theme(),
		colours: "time",
		shown: [],
		pending: null,
		judged: 0,		// number of times
	};

	// Which ceiling binds each sample.
	model.judge = function () {
		model.judged++;
		model.bound = new Int16Array(table.length);
		for (let i = 0; i < table.length; i++)
			model.bound[i] = model.ceilings.binding(table.intensity[i], table.rate[i],
							       table.simd[i],
							       model.machineOf(table.run[i]));
	};

	// Number of the machine whose ceilings a run is compared with; null: of none.
	model.machineOf = function (run) {
		const { machine } = data.runs[run];

		return machine === undefined ? 0 : machine;
	};

	// That of all selected samples; null: they are of several.
	model.machineOfSelection = function () {
		const machines = new Set();

		data.runs.forEach((_, run) => {
			if (model.selection.runs[run])
				machines.add(model.machineOf(run));
		});
		return machines.size === 1 ? Array.from(machines)[0] : null;
	};

	// Draw again what depends on it, once, before the next frame.
	model.changed = function (what) {
		if (what === "selection")
			model.selection.update();
		if (what === "ceilings")
			model.judge();
		if (!model.pending) {
			model.pending = new Set();
			requestAnimationFrame(model.flush);
		}
		model.pending.add(what);
	};

	model.flush = function () {
		const changed = model.pending;

		model.pending = null;
		if (changed)
			model.shown.forEach(shown => shown.view.update(changed));
	};

	// Names of runs are only of interest where there are several.
	model.threadName = function (index) {
		const thread = data.threads[index];
		const run = data.runs.length > 1 ? ` (${data.runs[thread.run].label})` : "";

		return kermon.text.thread(thread) + run;
	};

	// Of the selected samples; where no sample of a run is of one function alone, of all of it.
	const sampled = new Set();

	for (let i = 0; i < table.length; i++)
		if (table.function[i] >= 0)
			sampled.add(table.run[i]);
	model.isWhole = index => !sampled.has(data.functions[index].run);
	model.functionSum = function (index) {
		const whole = data.functions[index];

		return model.isWhole(index) ? {
			count: whole.samples, time: whole.seconds, rate: number(whole.flops_per_s),
			intensity: number(whole.intensity), intensityLow: number(whole.intensity_low),
			intensityHigh: number(whole.intensity_high), simd: data.simd.indexOf(whole.simd),
			bandwidth: whole.flops_per_s / whole.intensity,
			joules: data.domains.map(() => NaN),
		} : model.selection.sums.functions[index];
	};

	model.functionName = function (index) {
		const { name, run } = data.functions[index];

		return name + (data.runs.length > 1 ? ` (${data.runs[run].label})` : "");
	};

	model.judge();
	return model;
};

// A frame with a title and a body for each view that has something to show.
kermon.place = function (model, main) {
	const places = {};

	["left", "right", "wide"].forEach(place =>
		places[place] = main.append("div").attr("class", `place ${place}`));
	views.forEach(view => {
		if (view.applies && !view.applies(model))
			return;
		const frame = places[view.place].append("section").attr("class", "view")
			.attr("id", view.name).attr("aria-label", view.title);

		frame.append("h2").text(view.title);
		if (view.hint)
			frame.append("p").attr("class", "hint").text(view.hint);
		const body = frame.append("div").attr("class", "body");
		const created = view.create(body, model);

		if (created.keys)
			body.attr("tabindex", 0).on("keydown", () => {
				const act = created.keys[d3.event.key];

				if (!act || d3.event.altKey || d3.event.ctrlKey || d3.event.metaKey)
					return;
				d3.event.preventDefault();
				act(d3.event);
			});
		model.shown.push({ name: view.name, view: created, body });
	});
};

// The box beside the pointer: rows of [name, value], or nothing.
kermon.hover = function (x, y, title, rows) {
	const box = d3.select("#hover");

	box.property("hidden", !title).html("");
	if (!title)
		return;
	box.append("strong").text(title);
	const list = box.append("table").selectAll("tr").data(rows).enter().append("tr");

	list.append("th").text(row => row[0]);
	list.append("td").text(row => row[1]);
	const size = box.node().getBoundingClientRect();

	box.style("left", `${Math.max(4, Math.min(x + 14, innerWidth - size.width - 8))}px`)
		.style("top", `${Math.max(4, Math.min(y + 14, innerHeight - size.height - 8))}px`);
};

// A brush in the group g: act(selection) is called for what a person does, not for move().
kermon.brushing = function (brush, g, act) {
	let gesture = false, moving = false;

	brush.on("start brush end", () => {
		if (moving)
			return;
		gesture = d3.event.type !== "end";
		act(d3.event.selection);
	});
	return {
		isBusy: () => gesture,
		move(selection) {
			if (gesture)
				return;
			moving = true;
			g.call(brush.move, selection);
			moving = false;
		},
	};
};

// A wheel scrolls the page, and zooms a view that has the focus or with Ctrl.
kermon.zooms = body => d3.event.type !== "wheel" || d3.event.ctrlKey ||
	body.node().contains(document.activeElement);

// A canvas for many marks below an SVG for axes and text, of the same size.
kermon.layers = function (body) {
	const canvas = body.append("canvas"), svg = body.append("svg");

	body.classed("layers", true);
	return {
		canvas,
		svg,
		resize(width, height) {
			const ratio = window.devicePixelRatio || 1;

			body.style("height", `${height}px`);
			canvas.attr("width", Math.round(width * ratio))
				.attr("height", Math.round(height * ratio))
				.style("width", `${width}px`).style("height", `${height}px`);
			svg.attr("width", width).attr("height", height)
				.attr("viewBox", `0 0 ${width} ${height}`);
			const context = canvas.node().getContext("2d");

			context.setTransform(ratio, 0, 0, ratio, 0, 0);
			context.clearRect(0, 0, width, height);
			return context;
		},
	};
};
})();
