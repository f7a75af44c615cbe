// SPDX-License-Identifier: GPL-2.0
// Tracks over one axis of time, with one brush across all of them. A track is an object
//	{ name, title, height(model), applies(model), draw(frame) }
// whose draw() gets a frame
//	{ model, g, context, x, width, height, bins }	g: its SVG group; context: its canvas
// and where bins has the sums of each run per piece of the axis, as bin() returns them. It
// may have at(frame, run, index), which returns rows [name, value] for the pointer.
(function () {
"use strict";

const MARGIN = { top: 22, right: 16, bottom: 26, left: 62 };
const GAP = 22;		// above each track, for its title
const PIECE = 2;	// pixels per bin

const tracks = [];

kermon.track = track => tracks.push(track);

// Parts of a sample within [begin, end) go to the bins in proportion to the time in each.
function spread(bins, table, i, bound) {
	const { from, step } = bins;
	const begin = table.begin[i], seconds = table.seconds[i], end = begin + seconds;
	const first = Math.max(0, Math.floor((begin - from) / step));
	const last = Math.min(bins.nr - 1, Math.floor((end - from) / step));

	for (let bin = first; bin <= last; bin++) {
		const left = from + bin * step;
		const part = Math.min(end, left + step) - Math.max(begin, left);
		const share = seconds > 0 ? part / seconds : 1;

		if (!(share > 0))
			continue;
		if (table.flop[i] === table.flop[i]) {
			bins.counted[bin] += part;
			bins.flop[bin] += share * table.flop[i];
			bins.time[bin] += share * table.time[i];
			if (bound >= 0) {
				bins.parts[bound].flop[bin] += share * table.flop[i];
				bins.parts[bound].time[bin] += share * table.time[i];
			}
			if (table.bytes[i] === table.bytes[i])
				bins.bytes[bin] += share * table.bytes[i];
		}
	}
}

// The same of energy, where each instant counts once.
function spreadEnergy(runs, selection, from, step, nr) {
	selection.energy.each(selection.shaded, (r, begin, seconds, watts) => {
		const run = runs[r], end = begin + seconds;
		const last = Math.min(nr - 1, Math.floor((end - from) / step));

		for (let b = Math.max(0, Math.floor((begin - from) / step)); b <= last; b++) {
			const left = from + b * step;
			const part = Math.min(end, left + step) - Math.max(begin, left);

			for (let d = 0; d < watts.length && part > 0; d++)
				if (watts[d] === watts[d]) {
					run.joules[d][b] += watts[d] * part;
					run.powered[d][b] += part;
				}
		}
	});
}

// Of samples with pauses between them, pieces of time have several: a comb of pieces with one
// more or less is not what the program did.
const SAMPLES = 10, LEAST = 50;

function piecesOf(table, from, to, most) {
	let samples = 0, time = 0;

	for (let i = 0; i < table.length; i++)
		if (table.begin[i] < to && table.begin[i] + table.seconds[i] > from) {
			samples++;
			time += table.time[i];
		}
	return time > (to - from) / 2 ? most :
		Math.min(most, Math.max(LEAST, Math.floor(samples / SAMPLES)));
}

/*
 * Sums of each run in pieces of time of @step from @from. Of piece b:
 *	rate[b]		FLOP/s of the application: all threads together
 *	parts[c]	what samples that ceiling c binds have of this: { flop, time }
 *	intensity[b]	FLOP/byte
 *	power[d][b]	mean watts of the package while samples were there
 *	joules[d][b]	energy of it
 */
function bin(model, from, step, nr) {
	const { table, selection, data } = model;
	const zeros = () => new Float64Array(nr);
	const runs = data.runs.map(() => ({ nr, from, step, counted: zeros(),
		parts: [], flop: zeros(), time: zeros(), bytes: zeros(), joules: data.domains.map(zeros),
		powered: data.domains.map(zeros) }));

	for (let i = 0; i < table.length; i++) {
		const run = runs[table.run[i]], bound = model.bound[i];

		if (selection.shaded[i] && run && table.begin[i] < from + nr * step &&
		    table.begin[i] + table.seconds[i] >= from) {
			if (bound >= 0 && !run.parts[bound])
				run.parts[bound] = { flop: zeros(), time: zeros() };
			spread(run, table, i, bound);
		}
	}
	spreadEnergy(runs, selection, from, step, nr);
	runs.forEach(run => {
		run.rate = run.flop.map((flop, b) => run.counted[b] > 0 ? flop / step : NaN);
		run.intensity = run.flop.map((flop, b) => flop / run.bytes[b]);
		run.power = run.joules.map((joules, d) =>
			joules.map((sum, b) => sum / run.powered[d][b]));
	});
	return runs;
}

function build(body) {
	const layers = kermon.layers(body), svg = layers.svg.attr("role", "img")
		.attr("aria-label", "Timeline");
	const plot = svg.append("g").attr("transform", `translate(${MARGIN.left},0)`);
	const clip = svg.append("defs").append("clipPath").attr("id", "tracks").append("rect");

	return {
		layers, svg, plot, clip,
		tracks: plot.append("g"),
		brush: plot.append("g").attr("class", "brush"),
		axis: plot.append("g").attr("class", "axis x"),
		pointer: plot.append("line").attr("class", "pointer").attr("y1", MARGIN.top),
	};
}

function drawTrack(g, frame, track, top) {
	const height = track.height(frame.model);
	let own = g.tracks.select(`g.track[data-name="${track.name}"]`);

	if (own.empty()) {
		own = g.tracks.append("g").attr("class", "track").attr("data-name", track.name);
		own.append("text").attr("class", "title").attr("y", -5).text(track.title);
		own.append("g").attr("class", "axis y");
		own.append("g").attr("class", "inside").attr("clip-path", "url(#tracks)");
	}
	own.attr("transform", `translate(0,${top})`);
	frame.context.save();
	frame.context.translate(MARGIN.left, top);
	frame.context.beginPath();
	frame.context.rect(0, 0, frame.width, height);
	frame.context.clip();
	track.draw({ ...frame, height, g: own.select(".inside"), axis: own.select(".axis") });
	frame.context.restore();
	return top + height + GAP;
}

// Moves the range by parts of its own width, or makes one.
function keysOf(model, zoomBy) {
	const { table, selection } = model;

	function change(by) {
		const span = table.end - table.start;
		const [from, to] = selection.range || [table.start, table.start + span / 10];
		const [a, b] = selection.range ? by(from, to, (to - from) / 10, span) : [from, to];

		if (b > a)
			selection.range = [Math.max(table.start, a), Math.min(table.end, b)];
		model.changed("selection");
	}

	function move(direction) {
		change((from, to, step) => {
			const by = Math.max(table.start - from,
					    Math.min(table.end - to, direction * step));

			return [from + by, to + by];
		});
	}

	const resize = direction => change((from, to, step, span) =>
		[from, Math.max(from + span / 1e4, to + direction * step)]);

	return {
		ArrowLeft: event => event.shiftKey ? resize(-1) : move(-1),
		ArrowRight: event => event.shiftKey ? resize(1) : move(1),
		PageUp: () => move(-10),
		PageDown: () => move(10),
		Home: () => change((from, to) => [table.start, table.start + to - from]),
		End: () => change((from, to) => [table.end - (to - from), table.end]),
		ArrowUp: () => zoomBy(1.5),
		ArrowDown: () => zoomBy(1 / 1.5),
		"+": () => zoomBy(1.5),
		"-": () => zoomBy(1 / 1.5),
		0: () => zoomBy(0),
	};
}

kermon.view({
	name: "timeline",
	title: "Over time",
	place: "wide",
	hint: "Drag to select a range of time for all views; wheel to zoom (click first), Shift " +
	      "and drag to move.",
	applies: model => model.table.length > 0,

	create(body, model) {
		const g = build(body), base = d3.scaleLinear();
		const applying = tracks.filter(t => !t.applies || t.applies(model));
		const zoom = d3.zoom().scaleExtent([1, 1e5]), brush = d3.brushX();
		const view = { bins: [] };
		const brushing = kermon.brushing(brush, g.brush, at => {
			model.selection.range = at && at.map(view.x.invert);
			model.changed("selection");
		});
		let width = 0, bottom = 0;

		function draw() {
			const most = Math.ceil(width / PIECE), [from, to] = view.x.domain();
			const context = g.layers.resize(width + MARGIN.left + MARGIN.right,
							bottom + MARGIN.bottom);
			let top = MARGIN.top;

			// the range selects nothing of what the curves are of
			const { region, hidden } = model.selection;
			const basis = [from, to, most, model.judged, JSON.stringify(region), hidden].join();

			if (basis !== view.basis) {
				const nr = piecesOf(model.table, from, to, most);

				view.bins = bin(model, from, (to - from) / nr, nr);
			}
			view.basis = basis;
			applying.forEach(track => {
				top = drawTrack(g, { model, context, x: view.x, width,
						     bins: view.bins }, track, top);
			});
			g.axis.attr("transform", `translate(0,${bottom})`)
				.call(d3.axisBottom(view.x).ticks(width / 90).tickFormat(value =>
					`${kermon.text.plain(value, 6)}\u202fs`));
			const { range } = model.selection;

			brushing.move(range && range.map(view.x));
		}

		function size() {
			const old = d3.zoomTransform(g.svg.node());
			const { start, end } = model.table;

			width = Math.max(240, body.node().clientWidth - MARGIN.left - MARGIN.right);
			bottom = MARGIN.top + d3.sum(applying, t => t.height(model) + GAP) - GAP + 4;
			base.domain([start, end > start ? end : start + 1]).range([0, width]);
			zoom.extent([[0, 0], [width, bottom]])
				.translateExtent([[0, -Infinity], [width, Infinity]]);
			brush.extent([[0, MARGIN.top - 2], [width, bottom]]);
			g.brush.call(brush);
			g.clip.attr("width", width).attr("height", bottom);
			g.pointer.attr("y2", bottom);
			view.x = old.rescaleX(base);
		}

		// What the curves are at a pixel, beside the pointer at x, y of the window.
		function point(px, x, y) {
			const index = Math.floor(px / PIECE);
			const inside = px >= 0 && px < width && !brushing.isBusy(), rows = [];

			g.pointer.attr("x1", px).attr("x2", px).attr("opacity", inside ? 1 : 0);
			if (!inside) {
				kermon.hover();
				return;
			}
			applying.filter(track => track.at).forEach(track =>
				view.bins.forEach((run, r) => rows.push(...track.at(model, run, index, r))));
			kermon.hover(x, y, kermon.text.exact(view.x.invert(px), "s"), rows);
		}

		// By keys.
		function step(by) {
			const box = body.node().getBoundingClientRect();

			view.pointed = Math.max(0, Math.min(width - 1,
				view.pointed === undefined ? width / 2 : view.pointed + by));
			point(view.pointed, box.left + MARGIN.left + view.pointed, box.top + MARGIN.top);
		}

		function zoomBy(by) {
			if (by)
				g.svg.call(zoom.scaleBy, by);
			else
				g.svg.call(zoom.transform, d3.zoomIdentity);
		}

		zoom.filter(() => d3.event.type === "wheel" ? kermon.zooms(body) :
			d3.event.shiftKey && !d3.event.button)
			.on("zoom", () => {
				view.x = d3.event.transform.rescaleX(base);
				draw();
			});
		brush.filter(() => !d3.event.shiftKey && !d3.event.ctrlKey && !d3.event.button);
		g.svg.call(zoom).on("dblclick.zoom", () => zoomBy(0));
		body.on("blur", () => {
			g.pointer.attr("opacity", 0);
			kermon.hover();
		});
		g.svg.on("mousemove", () =>
			point(d3.mouse(g.plot.node())[0], d3.event.clientX, d3.event.clientY)).on("mouseleave", () => {
			g.pointer.attr("opacity", 0);
			kermon.hover();
		});
		Object.assign(view, {
			keys: { ...keysOf(model, zoomBy), "[": () => step(-5 * PIECE),
				"]": () => step(5 * PIECE) },
			update(changed) {
				if (!width || changed.has("size") || changed.has("all"))
					size();
				draw();
			},
		});
		return view;
	},
});
})();
