// SPDX-License-Identifier: GPL-2.0
// What a page must show, computed from its data in the plainest way.
"use strict";

const middle = (samples, i) => samples.begin[i] + samples.seconds[i] / 2;

// Indexes of the samples that a function accepts.
function rowsOf(samples, accept = () => true) {
	return samples.begin.map((_, i) => i).filter(accept);
}

// On the CPU, or, of a sample of a CPU, from begin to end.
const timeOf = (samples, i) => samples.oncpu[i] || samples.seconds[i];

const sum = (column, rows) => rows.reduce((total, i) => total + (column[i] || 0), 0);

const sumOf = (all, value) => all.reduce((total, each) => total + value(each), 0);

// Stays of rows: a row is one, or has several among the intervals. At each instant, it is there
// with a share of 1.
function staysOf({ samples, intervals = [] }, rows) {
	const listed = new Set(intervals.map(([run]) => run)), end = i => samples.begin[i] + samples.seconds[i];
	const stays = rows.filter(i => !listed.has(samples.run[i])).map(i => ({
		run: samples.run[i], cpu: samples.cpu[i], from: samples.begin[i], to: end(i),
		joules: samples.joules[0][i],
		share: Math.min(1, (samples.oncpu[i] || samples.seconds[i]) / samples.seconds[i]) }));

	intervals.forEach(([run, thread, cpu, from, seconds, , joules]) => {
		const middle = from + seconds / 2;

		if (rows.some(i => samples.thread[i] === thread && samples.begin[i] < middle && end(i) > middle))
			stays.push({ run, cpu, from, to: from + seconds, joules: joules[0], share: 1 });
	});
	return stays;
}

// The share in which none of them is on a CPU: on one CPU they are one after the other.
const away = stays => Array.from(new Set(stays.map(stay => stay.cpu)), cpu =>
	1 - Math.min(1, sumOf(stays.filter(stay => stay.cpu === cpu), stay => stay.share)))
	.reduce((a, b) => a * b, 1);

/*
 * Wall time and energy of rows: each instant between two neighbouring begins or ends of stays on
 * a CPU counts once, as far as any of these is there, with their mean power, of each package.
 */
function once(data, rows) {
	const total = { covered: 0, joules: 0 }, all = staysOf(data, rows);

	data.runs.forEach((run, number) => {
		const own = all.filter(stay => stay.run === number);
		const edges = own.flatMap(stay => [stay.from, stay.to]).sort((a, b) => a - b);
		const packageOf = stay => (run.packages || [])[stay.cpu] || 0;

		for (let edge = 1; edge < edges.length; edge++) {
			const at = (edges[edge - 1] + edges[edge]) / 2, length = edges[edge] - edges[edge - 1];
			const here = own.filter(stay => stay.from < at && stay.to > at);

			if (!here.length || !(length > 0))
				continue;
			total.covered += length * (1 - away(here));
			for (const one of new Set(here.map(packageOf))) {
				const there = here.filter(stay => packageOf(stay) === one && stay.joules !== null);

				if (there.length)
					total.joules += length * (1 - away(there)) / sumOf(there, stay => stay.share) *
						sumOf(there, stay => stay.joules / (stay.to - stay.from));
			}
		}
	});
	return total;
}

// The rows of the table "Selection".
function sums(data, rows) {
	const { samples } = data, counted = rows.filter(i => samples.flop[i] !== null);
	const flop = sum(samples.flop, counted), bytes = sum(samples.bytes, counted);
	const energy = once(data, rows);
	const time = own => own.reduce((total, i) => total + timeOf(samples, i), 0);

	return { samples: rows.length, operations: flop, bytes, "CPU time": time(rows),
		 "wall time": energy.covered, intensity: flop / bytes,
		 performance: flop / energy.covered * time(rows) / time(counted),
		 "per thread": flop / time(counted), "package energy": energy.joules,
		 "package power": energy.joules / energy.covered,
		 "package energy per operation": once(data, counted).joules / flop };
}

// The lowest ceiling of one thread that is not below a dot, up to what cannot be exceeded.
function binding(ceilings, intensity, rate) {
	const allowed = ceilings.map(({ kind, value, shown, threads }, index) => ({ index, kind,
		shown: shown && threads === 1, value: kind === "flops" ? value : value * intensity }))
		.filter(ceiling => ceiling.shown).sort((a, b) => a.value - b.value);
	const limit = Math.min(...["flops", "bandwidth"].map(kind =>
		Math.max(...allowed.filter(c => c.kind === kind).map(c => c.value))));

	return allowed.find(ceiling => ceiling.value >= Math.min(rate / 1.02, limit)).index;
}

module.exports = { middle, rowsOf, timeOf, sum, sums, binding };
