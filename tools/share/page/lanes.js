// SPDX-License-Identifier: GPL-2.0
// A lane for each CPU of each run (2: CPU 0, of the second run): which thread ran there, and
// why each sample was taken. Where sets were rotated, a sample is of several stays on a CPU,
// which the data have as intervals.
(function () {
"use strict";

const LANE = 16;
// Marks of these are shorter from one to the next; those of others are the shortest.
const REASONS = ["exit", "sleep", "preempted", "tick"];

// All stays: of samples, or of the intervals of runs that have these.
function staysOf(model) {
	const { table, data } = model, intervals = data.intervals || [];
	const listed = new Set(intervals.map(stay => stay[0])), stays = [];

	for (let i = 0; i < table.length; i++)
		if (!listed.has(table.run[i]))
			stays.push([table.run[i], table.thread[i], table.cpu[i], table.begin[i],
				    table.seconds[i], table.why[i], i]);
	intervals.forEach(stay => stays.push([...stay, -1]));
	return stays.filter(stay => Number.isFinite(stay[2])).map(
		([run, thread, cpu, begin, seconds, why, sample]) =>
			({ run, thread, cpu, begin, end: begin + seconds, why, sample }));
}

const keyOf = stay => stay.run * 65536 + stay.cpu;

// The stays with the index of the lane of each, and names of the lanes.
function lanesOf(model) {
	if (model.lanes)
		return model.lanes;
	const stays = staysOf(model);
	const keys = Array.from(new Set(stays.map(keyOf))).sort((a, b) => a - b);

	stays.forEach(stay => stay.lane = d3.bisectLeft(keys, keyOf(stay)));
	model.lanes = {
		stays,
		names: keys.map(key => (model.data.runs.length > 1 ?
			`${Math.floor(key / 65536) + 1}: ` : "") + `CPU ${key % 65536}`),
	};
	return model.lanes;
}

// Whether it is of what is selected.
function isSelected(stay, selection) {
	const middle = (stay.begin + stay.end) / 2;

	if (stay.sample >= 0)
		return selection.mask[stay.sample];
	return !selection.range || middle >= selection.range[0] && middle < selection.range[1];
}

// The end of a sample: a mark whose height says why, if there is room for one.
function drawReason(context, name, x, top) {
	const rank = REASONS.indexOf(name);
	const height = LANE - 3 - 3 * (rank < 0 ? REASONS.length : rank);

	context.fillRect(x - 0.75, top + LANE - 1 - height, 1.5, height);
}

kermon.track({
	name: "lanes",
	title: "who ran, per CPU; marks: why a sample was taken",
	height: model => LANE * lanesOf(model).names.length,
	applies: model => lanesOf(model).names.length > 0,

	draw(frame) {
		const { model, context, x } = frame, { selection, data } = model;
		const lanes = lanesOf(model), marks = [], drawn = lanes.names.map(() => -1);
		let room = 0;

		lanes.stays.forEach(stay => {
			const left = x(stay.begin), right = x(stay.end);

			if (selection.hidden[stay.thread] || right < 0 || left > frame.width)
				return;
			// of several stays within a pixel, the first one is shown
			if (right < drawn[stay.lane])
				return;
			drawn[stay.lane] = Math.floor(left) + 1;
			context.globalAlpha = isSelected(stay, selection) ? 1 : 0.25;
			context.fillStyle = model.theme.category(stay.thread);
			context.fillRect(left, stay.lane * LANE + 1, Math.max(1, right - left), LANE - 2);
			room += right - left;
			marks.push([stay, right]);
		});
		context.globalAlpha = 1;
		context.fillStyle = model.theme.css("--text");
		if (room > 4 * marks.length)
			marks.forEach(([stay, right]) => drawReason(context, data.whys[stay.why], right,
				stay.lane * LANE));
		const names = frame.axis.selectAll("text.lane").data(lanes.names);

		names.exit().remove();
		names.enter().append("text").attr("class", "lane").merge(names)
			.attr("text-anchor", "end").attr("x", -6)
			.attr("y", (_, lane) => lane * LANE + 12).text(d => d);
	},

	at(model, run, b, r) {
		const middle = run.from + (b + 0.5) * run.step, { stays, names } = lanesOf(model);

		return stays.filter(stay => stay.run === r && stay.begin <= middle && stay.end > middle &&
			!model.selection.hidden[stay.thread]).slice(0, 16).map(stay => [names[stay.lane],
				`${model.threadName(stay.thread)}, until ${model.data.whys[stay.why] || "–"}`]);
	},
});
})();
