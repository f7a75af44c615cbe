// SPDX-License-Identifier: GPL-2.0
// The roofline: ceilings, samples as dots, threads and averages, on logarithmic axes.
(function () {
"use strict";

const MARGIN = { top: 12, right: 16, bottom: 44, left: 62 };
const STEP = 10;	// pixels between the end of a line and its name
const REACH = 12;	// pixels from the pointer to what it shows

function quantiles(values) {
	const sorted = Float64Array.from(values.filter(v => v > 0 && Number.isFinite(v))).sort();

	return sorted.length ? [d3.quantile(sorted, 0.001), d3.quantile(sorted, 0.999)] : [];
}

// Where all dots, averages, ridges and peaks are visible.
function extents(model) {
	const { table, data, ceilings } = model;
	const highest = d3.max(ceilings.visible().filter(c => c.kind === "flops"), c => c.value);
	const ridges = [].concat(...ceilings.machines.map(ceilings.ridges));
	const averages = data.averages || [];
	const x = d3.extent([...quantiles(table.intensity), ...ridges,
			     ...averages.map(a => a.intensity).filter(v => v > 0)]);
	const y = d3.extent([...quantiles(table.rate), ...(highest ? [highest] : []),
			     ...averages.map(a => a.flops_per_s).filter(v => v > 0)]);

	return { x: x[0] ? [x[0] / 3, x[1] * 3] : [0.01, 100],
		 y: y[0] ? [Math.min(y[0], y[1] / 10) / 2, y[1] * 2] : [1e6, 1e12] };
}

function drawAxes(g, x, y, width, height) {
	const below = d3.axisBottom(x).ticks(10, kermon.text.ticksOfRatios(x)).tickSize(-height);
	const left = d3.axisLeft(y).ticks(10, kermon.text.ticksOfRates(y)).tickSize(-width);

	g.x.attr("transform", `translate(0,${height})`).call(below);
	g.y.call(left);
	g.xTitle.attr("x", width / 2).attr("y", height + 36);
	g.yTitle.attr("transform", `translate(-46,${height / 2}) rotate(-90)`);
}

// Left of all ridges memory binds, right of all of them arithmetic does; on one machine.
function drawRegions(g, model, x, width, height) {
	const { machines } = model.ceilings;
	const ridges = machines.length > 1 ? [] : model.ceilings.ridges(0).map(x);
	const clamp = v => Math.max(0, Math.min(width, v));
	const regions = ridges.length ? [
		["memory", "memory-bound", 0, clamp(d3.min(ridges))],
		["compute", "compute-bound", clamp(d3.max(ridges)), width],
	] : [];
	const shown = g.selectAll("g").data(regions, d => d[0]);
	const entered = shown.enter().append("g").attr("class", d => `region ${d[0]}`);

	entered.append("text").attr("text-anchor", "middle").text(d => d[1]);
	shown.exit().remove();
	shown.merge(entered).select("text").attr("x", d => (d[2] + d[3]) / 2).attr("y", height - 8)
		.attr("opacity", d => d[3] - d[2] > 115 ? 1 : 0);
	return regions;
}

// Behind the dots.
function fillRegions(context, model, regions, height) {
	context.save();
	context.translate(MARGIN.left, MARGIN.top);
	regions.forEach(([name, , from, to]) => {
		context.fillStyle = model.theme.css(`--${name}`);
		context.fillRect(from, 0, Math.max(0, to - from), height);
	});
	context.restore();
}

// Ends of the line of a ceiling in pixels: up to the highest peak, from the leftmost ridge.
function line(ceiling, model, x, y) {
	const [left, right] = x.domain();
	const { machineOf } = model.ceilings;
	// of the same machine and as many threads
	const same = model.ceilings.visible().filter(c => c.threads === ceiling.threads &&
		machineOf(c) === machineOf(ceiling));
	const peak = d3.max(same.filter(c => c.kind === "flops"), c => c.value);
	const widest = d3.max(same.filter(c => c.kind !== "flops"), c => c.value);

	if (ceiling.kind === "flops") {
		const from = widest ? Math.max(left, ceiling.value / widest) : left;

		return [[x(from), y(ceiling.value)], [x(right), y(ceiling.value)]];
	}
	const to = peak ? peak / ceiling.value : right;

	return [[x(left), y(left * ceiling.value)], [x(to), y(to * ceiling.value)]];
}

// Ceilings of several threads are for applications: dashed, and named at the other end.
function drawCeilings(g, model, x, y, height, names) {
	const { ceilings } = model, visible = ceilings.visible();
	const shown = g.selectAll("g.ceiling").data(visible, d => ceilings.list.indexOf(d));
	const entered = shown.enter().append("g").attr("class", "ceiling");

	entered.append("line");
	entered.append("text");
	shown.exit().remove();
	const all = shown.merge(entered).classed("theoretical", d => d.theoretical)
		.classed("several", ceilings.isOfSeveral)
		.classed("other", d => ceilings.machineOf(d) > 0)
		.style("color", d => model.theme.bound(d))
		.attr("data-ceiling", d => ceilings.list.indexOf(d));

	all.each(function (d) {
		const [[x1, y1], [x2, y2]] = line(d, model, x, y), [left, right] = x.range();
		const rises = (y2 - y1) / (x2 - x1), to = Math.min(x2, right);
		// the part that is in the plot
		const from = Math.max(x1, left, y1 > height && rises ? x1 + (height - y1) / rises : x1);
		const part = [[from, y1 + rises * (from - x1)], [to, y1 + rises * (to - x1)]];
		// a short line at the right may have a long name
		if (d.kind === "flops")
			part[0][0] = Math.min(part[0][0],
					      right - names.lengthOf(ceilings.name(d)) - STEP);
		const place = names.place(x2 > x1 ? part : [[x1, y1], [x1, y1]], ceilings.name(d),
					  d.kind === "flops" || ceilings.isOfSeveral(d));

		d3.select(this).select("line").attr("x1", x1).attr("y1", y1)
			.attr("x2", x2).attr("y2", y2);
		d3.select(this).select("text").text(ceilings.name(d))
			.attr("transform", `translate(${place.at}) rotate(${place.angle}) translate(0,-4)`);
	});
}

// Threads as diamonds, averages as crossed circles, and what is selected as a ring.
function marksOf(model) {
	const { data, selection } = model, sums = selection.sums, marks = [];

	// of threads, or of what colours are of
	const byFunction = model.colours === "function";
	const groups = byFunction ? data.functions.map((_, i) => model.functionSum(i)) : sums.threads;

	groups.forEach((sum, index) => {
		if (groups.length < 200 && sum.rate > 0 && sum.intensity > 0)
			marks.push({ kind: "thread", index,
				     name: byFunction ? model.functionName(index) : model.threadName(index),
				     machine: model.machineOf((byFunction ? data.functions :
							       data.threads)[index].run),
				     intensity: sum.intensity, rate: sum.rate, low: sum.intensityLow,
				     high: sum.intensityHigh, simd: sum.simd });
	});
	(data.averages || []).forEach((average, index) => {
		if (average.intensity > 0 && average.flops_per_s > 0)
			marks.push({ kind: "average", index, run: average.run, name: average.label,
				     machine: model.machineOf(average.run),
				     intensity: average.intensity, rate: average.flops_per_s,
				     simd: data.simd.indexOf(average.simd),
				     parallel: average.parallel || 1, sums: average });
	});
	if (!selection.isEmpty() && sums.all.rate > 0 && sums.all.intensity > 0)
		marks.push({ kind: "selected", index: 0, name: "selected samples",
			     machine: model.machineOfSelection(),
			     intensity: sums.all.intensity, low: sums.all.intensityLow,
			     high: sums.all.intensityHigh, simd: sums.all.simd,
			     rate: sums.once.rate, parallel: sums.once.parallel });
	return marks;
}

// More of them have no bars, which would cover the dots.
const BARS = 16;

const SHAPES = { thread: "M0,-6L6,0L0,6L-6,0Z", average: "M-8,0A8,8 0 1 1 8,0A8,8 0 1 1 -8,0" +
	"M-5,-5L5,5M-5,5L5,-5", selected: "M-11,0A11,11 0 1 1 11,0A11,11 0 1 1 -11,0" };

// An average says how many threads it is of: those of as many ceilings compare with it.
function nameOf(mark, model) {
	const { runs } = model.data, ran = Math.round(mark.parallel);
	const unit = runs[mark.run].monitor === "spy" ? "CPUs" : "threads";

	return (runs.length > 1 ? runs[mark.run].label : mark.name) +
		(ran > 1 ? ` (${ran} ${unit})` : "");
}

// Beside the mark, on the side where there is room.
const NAME = { x: 11, y: -9, height: 14, bold: 1.25 };

function placeName(names, mark, model, x, y) {
	const text = nameOf(mark, model), right = x(mark.intensity) + NAME.x;
	const length = NAME.bold * names.lengthOf(text);

	mark.atLeft = right + length > x.range()[1];
	const left = mark.atLeft ? right - 2 * NAME.x - length : right;

	// above that of another one at the same place
	mark.above = NAME.y;
	while (!names.isFree(left, y(mark.rate) + mark.above, length) && y(mark.rate) + mark.above > 0)
		mark.above -= NAME.height;
	names.cover(left, y(mark.rate) + mark.above, length);
}

function drawMarks(g, marks, model, x, y) {
	const shown = g.selectAll("g.mark").data(marks, d => d.kind + d.index);
	const entered = shown.enter().append("g").attr("class", d => `mark ${d.kind}`);

	entered.append("line").attr("class", "error");
	entered.append("path").attr("d", d => SHAPES[d.kind]);
	entered.filter(d => d.kind === "average").append("text");
	shown.exit().remove();
	const all = shown.merge(entered);

	all.attr("transform", d => `translate(${x(d.intensity)},${y(d.rate)})`)
		.attr("data-name", d => d.name)
		.style("color", d => d.kind === "thread" ? model.theme.category(d.index) : null);
	const hasBar = d => marks.length <= BARS || d.kind !== "thread";

	all.select("line").attr("x1", d => d.low > 0 && hasBar(d) ? x(d.low) - x(d.intensity) : 0)
		.attr("x2", d => d.high > 0 && hasBar(d) ? x(d.high) - x(d.intensity) : 0);
	all.select("text").text(d => nameOf(d, model)).attr("x", d => d.atLeft ? -NAME.x : NAME.x)
		.attr("y", d => d.above)
		.attr("text-anchor", d => d.atLeft ? "end" : "start");
}

// From the average of each run to that of the next one that was recorded alike.
function drawArrows(g, marks, runs, x, y) {
	const averages = marks.filter(mark => mark.kind === "average"), arrows = [];

	averages.forEach(before => {
		const after = averages.find(mark => mark.name === before.name && mark.run > before.run &&
			runs[mark.run].monitor === runs[before.run].monitor);

		// longer than its head
		if (after && Math.hypot(x(after.intensity) - x(before.intensity),
					y(after.rate) - y(before.rate)) > 16)
			arrows.push([before, after]);
	});
	const shown = g.selectAll("line.arrow").data(arrows);

	shown.exit().remove();
	shown.enter().append("line").attr("class", "arrow").attr("marker-end", "url(#arrow)")
		.merge(shown).attr("x1", d => x(d[0].intensity)).attr("y1", d => y(d[0].rate))
		.attr("x2", d => x(d[1].intensity)).attr("y2", d => y(d[1].rate));
}

function build(body) {
	const layers = kermon.layers(body), svg = layers.svg;

	svg.attr("role", "img").attr("aria-label", "Roofline");
	const defs = svg.append("defs"), clip = defs.append("clipPath").attr("id", "plot");
	const plot = svg.append("g").attr("transform", `translate(${MARGIN.left},${MARGIN.top})`);
	const g = { layers, svg, plot, clip: clip.append("rect") };

	defs.append("marker").attr("id", "arrow").attr("viewBox", "0 0 10 10").attr("refX", 14)
		.attr("refY", 5).attr("markerWidth", 7).attr("markerHeight", 7)
		.attr("orient", "auto").append("path").attr("d", "M0,0L10,5L0,10Z");
	g.x = plot.append("g").attr("class", "axis x");
	g.y = plot.append("g").attr("class", "axis y");
	g.xTitle = plot.append("text").attr("class", "title").attr("text-anchor", "middle")
		.text("operational intensity (FLOP/byte)");
	g.yTitle = plot.append("text").attr("class", "title").attr("text-anchor", "middle")
		.text("performance (FLOP/s)");
	const inside = plot.append("g").attr("clip-path", "url(#plot)");

	["regions", "brush", "ceilings", "arrows", "marks", "focus"].forEach(name =>
		g[name] = inside.append("g").attr("class", name));
	g.note = body.append("p").attr("class", "note");
	return g;
}

// What the pointer is at: a dot, a mark or a ceiling.
function find(px, py, view) {
	const { model, x, y } = view;
	const far = mark => Math.hypot(x(mark.intensity) - px, y(mark.rate) - py);
	const mark = view.marks.filter(m => far(m) < REACH).sort((a, b) => far(a) - far(b))[0];

	if (mark)
		return { mark };
	const dot = view.dots.nearest(px, py, REACH);

	if (dot >= 0)
		return { dot };
	const intensity = x.invert(px);
	const ceiling = model.ceilings.visible().find(c => {
		const [[x1], [x2]] = line(c, model, x, y);

		return px >= x1 && px <= x2 &&
		       Math.abs(y(model.ceilings.allows(c, intensity)) - py) < REACH / 2;
	});

	return { ceiling };
}

function ceilingRows(ceiling) {
	const unit = ceiling.kind === "flops" ? "FLOP/s" : "B/s", { si, exact } = kermon.text;

	return [["value", si(ceiling.value, unit)], ["exactly", exact(ceiling.value, unit)],
		["interval", `${si(ceiling.low, unit)} to ${si(ceiling.high, unit)}`],
		["threads", exact(ceiling.threads)],
		["source", ceiling.theoretical ? "theoretical" : "measured"]];
}

// Of an average, what the text says about it, too.
function markRows(mark, model) {
	const { si, plain, percent } = kermon.text, { sums } = mark;
	const rows = [["performance", si(mark.rate, "FLOP/s")],
		      ["intensity", `${plain(mark.intensity, 4)} FLOP/byte`],
		      ["bound", model.ceilings.verdict(mark.intensity, mark.rate, mark.simd,
						       mark.machine, mark.parallel)]];

	if (mark.parallel)
		rows.push(["threads at a time", plain(mark.parallel)]);
	if (!sums)
		return rows;
	rows.push(["wall time", si(sums.seconds, "s")], ["operations", si(sums.flop, "FLOP")],
		  ["bytes", si(sums.bytes, "B")]);
	Object.entries(sums.joules || {}).forEach(([domain, joules]) =>
		rows.push([`${domain} energy`, si(joules, "J")]));
	if (sums.joules_per_flop > 0)
		rows.push(["energy per operation", si(sums.joules_per_flop, "J/FLOP")]);
	if (sums.error > 0)
		rows.push(["error", percent(sums.error)]);
	return rows;
}

kermon.view({
	name: "roofline",
	title: "Roofline",
	place: "left",
	hint: "Drag to move, wheel to zoom (click first), Shift and drag to select samples.",

	create(body, model) {
		const g = build(body), view = { model, marks: [] };
		const base = { x: d3.scaleLog(), y: d3.scaleLog() };
		const zoom = d3.zoom().scaleExtent([0.5, 200]);
		const brush = d3.brush().keyModifiers(false)
			.filter(() => d3.event.shiftKey && !d3.event.button);
		const brushing = kermon.brushing(brush, g.brush, at => {
			model.selection.region = at && {
				intensity: [view.x.invert(at[0][0]), view.x.invert(at[1][0])],
				rate: [view.y.invert(at[1][1]), view.y.invert(at[0][1])] };
			model.changed("selection");
		});
		let width, height;

		view.dots = kermon.dots(model, view);

		function draw() {
			const transform = d3.zoomTransform(g.svg.node());

			view.x = transform.rescaleX(base.x);
			view.y = transform.rescaleY(base.y);
			drawAxes(g, view.x, view.y, width, height);
			const context = g.layers.resize(width + MARGIN.left + MARGIN.right,
							height + MARGIN.top + MARGIN.bottom);

			const regions = drawRegions(g.regions, model, view.x, width, height);

			fillRegions(context, model, regions, height);
			view.marks = marksOf(model);
			const names = kermon.names();

			view.marks.filter(mark => mark.kind === "average").forEach(mark =>
				placeName(names, mark, model, view.x, view.y));
			regions.forEach(([, name, from, to]) =>
				names.cover((from + to - names.lengthOf(name)) / 2, height - 8,
					    names.lengthOf(name)));
			drawCeilings(g.ceilings, model, view.x, view.y, height, names);
			drawMarks(g.marks, view.marks, model, view.x, view.y);
			drawArrows(g.arrows, view.marks, model.data.runs, view.x, view.y);
			view.dots.draw(context, MARGIN, width, height);
			g.note.text(view.dots.note());
			moveBrush();
		}

		function moveBrush() {
			const { region } = model.selection;

			brushing.move(region && [
				[view.x(region.intensity[0]), view.y(region.rate[1])],
				[view.x(region.intensity[1]), view.y(region.rate[0])]]);
		}

		function size() {
			width = Math.max(240, body.node().clientWidth - MARGIN.left - MARGIN.right);
			height = Math.max(260, Math.min(width * 0.72, 560));
			const all = extents(model);

			base.x.domain(all.x).range([0, width]);
			base.y.domain(all.y).range([height, 0]);
			g.clip.attr("width", width).attr("height", height);
			zoom.extent([[0, 0], [width, height]]);
			brush.extent([[0, 0], [width, height]]);
			g.brush.call(brush);
			g.brush.select(".overlay").attr("cursor", "grab");
		}

		function show(found, px, py) {
			const ends = found.dot >= 0 ? view.dots.ends(found.dot) : null;
			const error = g.focus.selectAll("line").data(ends ? [ends] : []);

			error.exit().remove();
			error.enter().append("line").attr("class", "error").merge(error)
				.attr("x1", d => d.x1).attr("x2", d => d.x2)
				.attr("y1", d => d.y).attr("y2", d => d.y);
			const circle = g.focus.selectAll("circle").data(ends ? [ends] : []);

			circle.exit().remove();
			circle.enter().append("circle").attr("r", 7).merge(circle)
				.attr("cx", d => d.x).attr("cy", d => d.y);
			if (found.dot >= 0)
				kermon.hover(px, py, model.threadName(model.table.thread[found.dot]),
					     view.dots.rows(found.dot));
			else if (found.mark)
				kermon.hover(px, py, found.mark.kind === "average" ?
					     nameOf(found.mark, model) : found.mark.name, markRows(found.mark, model));
			else if (found.ceiling)
				kermon.hover(px, py, model.ceilings.name(found.ceiling),
					     ceilingRows(found.ceiling));
			else
				kermon.hover();
		}

		// The next dot in time that is selected.
		function step(by) {
			const dot = view.dots.step(by), box = body.node().getBoundingClientRect();

			if (dot < 0)
				return;
			const ends = view.dots.ends(dot);

			show({ dot }, box.left + MARGIN.left + ends.x, box.top + MARGIN.top + ends.y);
		}

		// The next mark or ceiling.
		function visit(by) {
			const all = [...view.marks, ...model.ceilings.visible()];
			const box = body.node().getBoundingClientRect();

			if (!all.length)
				return;
			view.visited = ((view.visited === undefined ? by < 0 ? 0 : -1 : view.visited) + by +
				all.length) % all.length;
			const one = all[view.visited], isMark = view.visited < view.marks.length;
			const [px, py] = isMark ? [view.x(one.intensity), view.y(one.rate)] :
				line(one, model, view.x, view.y)[1];

			show(isMark ? { mark: one } : { ceiling: one },
			     box.left + MARGIN.left + Math.max(0, Math.min(width, px)),
			     box.top + MARGIN.top + Math.max(0, Math.min(height, py)));
		}

		// Of the region of selected samples, or a new one in the middle.
		function change(by) {
			const { selection } = model, third = (scale, size) => [size / 3, 2 * size / 3]
				.map(scale.invert).sort((a, b) => a - b);

			if (selection.region)
				by(selection.region);
			else
				selection.region = { intensity: third(view.x, width),
						     rate: third(view.y, height) };
			model.changed("selection");
		}

		const shift = (range, parts) => range.map(v => v * (range[1] / range[0]) ** parts);
		const stretch = ([low, high], parts) =>
			[low / (high / low) ** parts, high * (high / low) ** parts];
		const move = (right, up) => change(region => {
			region.intensity = shift(region.intensity, right / 10);
			region.rate = shift(region.rate, up / 10);
		});
		const grow = parts => change(region => {
			region.intensity = stretch(region.intensity, parts);
			region.rate = stretch(region.rate, parts);
		});
		const pan = (dx, dy) => g.svg.call(zoom.translateBy, dx, dy);
		const scale = by => g.svg.call(zoom.scaleBy, by);

		zoom.filter(() => !d3.event.shiftKey && !d3.event.button && kermon.zooms(body))
			.on("zoom", draw);
		g.svg.call(zoom).on("dblclick.zoom", () => g.svg.call(zoom.transform, d3.zoomIdentity));
		g.svg.on("mousemove", () => {
			const [px, py] = d3.mouse(g.plot.node());

			show(find(px, py, view), d3.event.clientX, d3.event.clientY);
		}).on("mouseleave", () => show({}));
		body.on("blur", () => show({}));
		Object.assign(view, {
			update(changed) {
				if (!width || changed.has("size") || changed.has("all") ||
				    changed.has("ceilings"))
					size();
				draw();
			},
			keys: {
				ArrowLeft: event => event.shiftKey ? move(-1, 0) : pan(40, 0),
				ArrowRight: event => event.shiftKey ? move(1, 0) : pan(-40, 0),
				ArrowUp: event => event.shiftKey ? move(0, 1) : pan(0, 40),
				ArrowDown: event => event.shiftKey ? move(0, -1) : pan(0, -40),
				PageUp: () => grow(0.1),
				PageDown: () => grow(-0.1),
				m: () => visit(1),
				M: () => visit(-1),
				"+": () => scale(1.3),
				"-": () => scale(1 / 1.3),
				0: () => g.svg.call(zoom.transform, d3.zoomIdentity),
				"[": () => step(-1),
				"]": () => step(1),
			},
		});
		return view;
	},
});
})();
