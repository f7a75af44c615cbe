// SPDX-License-Identifier: GPL-2.0
// A lane for each CPU of each run (2: CPU 0, of the second run): which thread ran there, and why each sample was taken.
(function () {
"use strict";

const LANE = 16;
// Marks of these are shorter from one to the next; those of others are the shortest.
const REASONS = ["exit", "sleep", "preempted", "tick"];

// Index of the lane of each sample, and names of the lanes.
function lanesOf(model) {
	const { table, data } = model, numbers = new Map();

	if (model.lanes)
		return model.lanes;
	for (let i = 0; i < table.length; i++) {
		const key = table.run[i] * 65536 + table.cpu[i];

		numbers.set(key, key);
	}
	const keys = Array.from(numbers.keys()).filter(Number.isFinite).sort((a, b) => a - b);

	model.lanes = {
		names: keys.map(key => (data.runs.length > 1 ?
			`${Math.floor(key / 65536) + 1}: ` : "") + `CPU ${key % 65536}`),
		of: i => d3.bisectLeft(keys, table.run[i] * 65536 + table.cpu[i]),
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
	applies: model => model.table.cpu.some(Number.isFinite),

	draw(frame) {
		const { model, context, x } = frame, { table, selection, data } = model;
		const lanes = lanesOf(model), marks = [];
		let room = 0;

		for (let i = 0; i < table.length; i++) {
			const left = x(table.begin[i]), right = x(table.begin[i] + table.seconds[i]);

			if (!selection.visible[i] || right < 0 || left > frame.width)
				continue;
			context.globalAlpha = selection.mask[i] ? 1 : 0.25;
			context.fillStyle = model.theme.category(table.thread[i]);
			context.fillRect(left, lanes.of(i) * LANE + 1, Math.max(0.5, right - left),
					 LANE - 2);
			room += right - left;
			marks.push([i, right]);
		}
		context.globalAlpha = 1;
		context.fillStyle = model.theme.css("--text");
		if (room > 4 * marks.length)
			marks.forEach(([i, right]) => drawReason(context, data.whys[table.why[i]],
				right, lanes.of(i) * LANE));
		const names = frame.axis.selectAll("text.lane").data(lanes.names);

		names.exit().remove();
		names.enter().append("text").attr("class", "lane").merge(names)
			.attr("text-anchor", "end").attr("x", -6)
			.attr("y", (_, lane) => lane * LANE + 12).text(d => d);
	},

	at(model, run, b, r) {
		const { table, selection } = model, middle = run.from + (b + 0.5) * run.step;
		const rows = [], lanes = lanesOf(model);

		for (let i = 0; i < table.length && rows.length < 16; i++)
			if (table.run[i] === r && selection.visible[i] && table.begin[i] <= middle &&
			    table.begin[i] + table.seconds[i] > middle)
				rows.push([lanes.names[lanes.of(i)],
					   `${model.threadName(table.thread[i])}, until ` +
					   `${model.data.whys[table.why[i]] || "–"}`]);
		return rows;
	},
});
})();
