// SPDX-License-Identifier: GPL-2.0
// Tracks of the timeline: performance, intensity, what binds, power, energy.
(function () {
"use strict";

// x of the left edge of bin b, and its right one.
const edge = (frame, run, b) => frame.x(run.from + b * run.step);

// A line of steps over the bins; gaps where a value is not known.
function steps(frame, run, values, y) {
	const points = [];

	for (let b = 0; b < run.nr; b++)
		points.push([edge(frame, run, b), values[b]], [edge(frame, run, b + 1), values[b]]);
	return d3.line().defined(p => Number.isFinite(p[1])).x(p => p[0]).y(p => y(p[1]))(points);
}

function drawLines(frame, lines, y) {
	const shown = frame.g.selectAll("path.line").data(lines);

	shown.exit().remove();
	shown.enter().append("path").attr("class", "line").merge(shown)
		.attr("data-name", d => d.name)
		.attr("stroke", d => d.colour).attr("stroke-dasharray", d => d.dash || null)
		.attr("d", d => steps(frame, d.run, d.values, y));
}

const TITLE = 400;	// pixels, and of what is written beside it

// Names above the right end, where several lines share a track.
function drawNames(frame, all) {
	const widths = all.map(d => 7 * d.name.length + 26);
	// those that fit beside the title
	const fits = all.filter((_, i) => d3.sum(widths.slice(0, i + 1)) < frame.width - TITLE);
	const names = fits.length === all.length ? all :
		[...fits, { name: `${all.length - fits.length} more`, colour: frame.model.theme.css("--dim") }];
	const shown = frame.axis.selectAll("text.name").data(all.length > 1 ? names : []);

	widths.splice(fits.length, widths.length, ...names.slice(fits.length).map(() => 80));

	shown.exit().remove();
	shown.enter().append("text").attr("class", "name").merge(shown)
		.attr("text-anchor", "end").attr("y", -5)
		.attr("x", (d, i) => frame.width - 4 - d3.sum(widths.slice(i + 1)))
		.style("fill", d => d.colour)
		.text(d => `${d.dash ? "╌" : "━"} ${d.name}`);
}

// Parts of a run by what binds, in its colours, on each other.
function stack(frame, run, value, y) {
	const { context, model } = frame, base = new Float64Array(run.nr);

	context.globalAlpha = 0.85;
	run.parts.forEach((part, bound) => {
		context.fillStyle = model.theme.bound(model.data.ceilings[bound]);
		for (let b = 0; b < run.nr; b++) {
			const more = value(part, b), left = Math.round(edge(frame, run, b));

			if (!(more > 0))
				continue;
			context.fillRect(left, y(base[b] + more),
					 Math.round(edge(frame, run, b + 1)) - left,
					 y(base[b]) - y(base[b] + more));
			base[b] += more;
		}
	});
	context.globalAlpha = 1;
}

const DASHES = [null, "6 3", "2 3"];

// A line per run.
function perRun(frame, values) {
	return frame.bins.map((run, r) => ({
		run, name: frame.model.data.runs[r].label, values: values(run),
		colour: frame.model.theme.category(r), dash: DASHES[r % DASHES.length],
	}));
}

function largest(lines) {
	return d3.max(lines, line => d3.max(line.values, v => Number.isFinite(v) ? v : undefined));
}

function linear(frame, top) {
	const y = d3.scaleLinear().domain([0, top > 0 ? top * 1.05 : 1]).range([frame.height, 0]);

	frame.axis.call(d3.axisLeft(y).ticks(top > 0 ? frame.height / 25 : 1).tickSize(-frame.width)
		.tickFormat(value => value ? d3.format("~s")(value) : "0"));
	return y;
}

const named = (model, r, name) => model.data.runs.length > 1 ?
	`${model.data.runs[r].label}: ${name}` : name;

// Of a run alone, the area below the line is divided by what binds.
kermon.track({
	name: "rate",
	title: "performance of the application (FLOP/s)",
	height: () => 96,
	draw(frame) {
		const lines = perRun(frame, run => run.rate), y = linear(frame, largest(lines));

		if (frame.bins.length === 1)
			stack(frame, frame.bins[0], (part, b) => part.flop[b] / frame.bins[0].step, y);
		drawLines(frame, lines, y);
		drawNames(frame, lines);
	},
	at: (model, run, b, r) => [[named(model, r, "performance"),
				    kermon.text.si(run.rate[b], "FLOP/s")]],
});

kermon.track({
	name: "intensity",
	title: "operational intensity (FLOP/byte)",
	height: () => 64,
	draw(frame) {
		const lines = perRun(frame, run => run.intensity.map(v => v > 0 ? v : NaN));
		const all = [].concat(...lines.map(l => Array.from(l.values).filter(Number.isFinite)));
		const [low, high] = all.length ? d3.extent(all) : [0.01, 1];
		const y = d3.scaleLog().domain([low / 1.3, high * 1.3]).range([frame.height, 0]);

		frame.axis.call(d3.axisLeft(y).ticks(3, "~r").tickSize(-frame.width));
		drawLines(frame, lines, y);
	},
	at: (model, run, b, r) => [[named(model, r, "intensity"),
				    `${kermon.text.plain(run.intensity[b], 4)} FLOP/byte`]],
});

const STRIP = 24;

kermon.track({
	name: "bound",
	title: "what binds (share of time)",
	height: model => STRIP * model.data.runs.length,
	draw(frame) {
		const { context, model } = frame, used = new Set();

		frame.bins.forEach((run, r) => {
			const y = d3.scaleLinear().range([(r + 1) * STRIP - 1, r * STRIP + 1]);

			stack(frame, run, (part, b) => part.time[b] / run.time[b] || 0, y);
			run.parts.forEach((part, bound) => used.add(bound));
		});
		// the classes, in words
		const names = new Map();

		used.forEach(bound => {
			const ceiling = model.data.ceilings[bound];

			names.set(model.ceilings.label(ceiling), model.theme.bound(ceiling));
		});
		const shown = frame.axis.selectAll("text.class").data(Array.from(names), d => d[0]);

		shown.exit().remove();
		shown.enter().append("text").attr("class", "class").text(d => `■ ${d[0]}`)
			.merge(shown).attr("text-anchor", "start").attr("y", -5)
			.attr("x", (d, i) => 180 + 84 * i).style("fill", d => d[1]);
	},
	at: (model, run, b, r) => run.parts.map((part, bound) => [part.time[b] / run.time[b], bound])
		.filter(([share]) => share > 0.005).map(([share, bound]) =>
			[named(model, r, model.ceilings.name(model.data.ceilings[bound])), kermon.text.percent(share)]),
});

const hasEnergy = model => model.data.domains.some((_, d) =>
	model.table.joules[d].some(joules => joules > 0));

// A line for each domain of each run that has energy.
// By colour if they are of one run, otherwise by strokes.
function perDomain(frame, values) {
	const lines = [], several = frame.bins.length > 1, { theme } = frame.model;

	frame.bins.forEach((run, r) => frame.model.data.domains.forEach((domain, d) => {
		const list = values(run, d);

		if (list.some(Number.isFinite))
			lines.push({ run, name: named(frame.model, r, domain), values: list,
				     colour: theme.category(several ? r : d),
				     dash: DASHES[several ? d % DASHES.length : 0] });
	}));
	return lines;
}

kermon.track({
	name: "power",
	title: "power of the package while the application runs (W)",
	height: () => 76,
	applies: hasEnergy,
	draw(frame) {
		const lines = perDomain(frame, (run, d) => run.power[d]);

		drawLines(frame, lines, linear(frame, largest(lines)));
		drawNames(frame, lines);
	},
	at: (model, run, b, r) => model.data.domains.map((domain, d) =>
		[named(model, r, domain), kermon.text.si(run.power[d][b], "W")]),
});

// Sum from the left edge.
function grown(run, d) {
	let sum = 0;

	return run.powered[d].some(seconds => seconds > 0) ?
		run.joules[d].map(joules => sum += joules) : [];
}

kermon.track({
	name: "energy",
	title: "energy since the left edge (J)",
	height: () => 56,
	applies: hasEnergy,
	draw(frame) {
		const lines = perDomain(frame, grown);

		drawLines(frame, lines, linear(frame, largest(lines)));
	},
});
})();
