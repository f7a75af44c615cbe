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

// Stays of rows: a row is one, up to its end, or has several among the intervals.
function staysOf({ samples, intervals = [] }, rows) {
	const listed = new Set(intervals.map(([run]) => run)), end = i => samples.begin[i] + samples.seconds[i];
	const stays = rows.filter(i => !listed.has(samples.run[i])).map(i => ({
		run: samples.run[i], cpu: samples.cpu[i], to: end(i), joules: samples.joules[0][i],
		from: samples.oncpu[i] ? end(i) - samples.oncpu[i] : samples.begin[i] }));

	intervals.forEach(([run, thread, cpu, from, seconds, , joules]) => {
		const middle = from + seconds / 2;

		if (rows.some(i => samples.thread[i] === thread && samples.begin[i] < middle && end(i) > middle))
			stays.push({ run, cpu, from, to: from + seconds, joules: joules[0] });
	});
	return stays;
}

/*
 * Wall time and energy of rows: each instant between two neighbouring begins or ends of stays on
 * a CPU counts once, with the mean power of all stays there that have one, of each package.
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
			total.covered += length;
			for (const one of new Set(here.map(packageOf))) {
				const powers = here.filter(stay => packageOf(stay) === one &&
					stay.joules !== null).map(stay => stay.joules / (stay.to - stay.from));

				if (powers.length)
					total.joules += length / powers.length * powers.reduce((a, b) => a + b);
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
		 "package energy per operation": energy.joules / flop };
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
