// SPDX-License-Identifier: GPL-2.0
// A lane for each CPU of each run (2: CPU 0, of the second run): which thread ran there, and
// why each sample was taken.
(function () {
"use strict";

const LANE = 16;
// Marks of these are shorter from one to the next; those of others are the shortest.
const REASONS = ["exit", "sleep", "preempted", "tick"];

// The lane of each stay, -1: its CPU is not known; and names of the lanes.
function lanesOf(model) {
	const { stays } = model, keys = new Map();

	if (model.lanes)
		return model.lanes;
	const keyOf = n => stays.cpu[n] >= 0 ? stays.run[n] * 65536 + stays.cpu[n] : -1;

	for (let n = 0; n < stays.length; n++)
		keys.set(keyOf(n), -1);
	const sorted = Array.from(keys.keys()).filter(key => key >= 0).sort((a, b) => a - b);

	sorted.forEach((key, lane) => keys.set(key, lane));
	model.lanes = {
		of: Int16Array.from({ length: stays.length }, (_, n) => keys.get(keyOf(n))),
		names: sorted.map(key => (model.data.runs.length > 1 ?
			`${Math.floor(key / 65536) + 1}: ` : "") + `CPU ${key % 65536}`),
	};
	return model.lanes;
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
		const { model, context, x } = frame, { selection, data, stays } = model;
		const lanes = lanesOf(model), marks = [], drawn = lanes.names.map(() => -1);
		const origin = x(0), scale = (x(1) - origin) / 1e9;
		let room = 0;

		for (let n = 0; n < stays.length; n++) {
			const left = origin + stays.from[n] * scale, lane = lanes.of[n];
			const right = origin + stays.to[n] * scale;

			// of several stays within a pixel, the first one is shown
			if (lane < 0 || right < 0 || left > frame.width || right < drawn[lane] ||
			    selection.hidden[stays.thread[n]])
				continue;
			drawn[lane] = Math.floor(left) + 1;
			context.globalAlpha = selection.mask[stays.sample[n]] ? 1 : 0.25;
			context.fillStyle = model.theme.category(stays.thread[n]);
			// as high as the share of the time that it was there for
			const height = Math.max(2, (LANE - 2) * stays.share[n]);

			context.fillRect(left, (lane + 1) * LANE - 1 - height, Math.max(1, right - left),
					 height);
			room += right - left;
			marks.push([stays.why[n], lane, right]);
		}
		context.globalAlpha = 1;
		context.fillStyle = model.theme.css("--text");
		if (room > 4 * marks.length)
			marks.forEach(([why, lane, right]) =>
				drawReason(context, data.whys[why], right, lane * LANE));
		const names = frame.axis.selectAll("text.lane").data(lanes.names);

		names.exit().remove();
		names.enter().append("text").attr("class", "lane").merge(names)
			.attr("text-anchor", "end").attr("x", -6)
			.attr("y", (_, lane) => lane * LANE + 12).text(d => d);
	},

	at(model, run, b, r) {
		const at = (run.from + (b + 0.5) * run.step) * 1e9, { of, names } = lanesOf(model);
		const { stays } = model, rows = [];

		for (let n = 0; n < stays.length && rows.length < 16; n++)
			if (stays.run[n] === r && stays.from[n] <= at && stays.to[n] > at && of[n] >= 0 &&
			    !model.selection.hidden[stays.thread[n]])
				rows.push([names[of[n]], `${model.threadName(stays.thread[n])}, until ` +
					   (model.data.whys[stays.why[n]] || "–")]);
		return rows;
	},
});
})();
