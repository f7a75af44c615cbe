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

/*
 * Wall time and energy of rows: each instant between two neighbouring begins or ends counts
 * once, with the mean power of all samples there that have one.
 */
function once(samples, rows, joules) {
	const total = { covered: 0, joules: 0 };

	for (const run of new Set(rows.map(i => samples.run[i]))) {
		const own = rows.filter(i => samples.run[i] === run);
		const edges = own.flatMap(i => [samples.begin[i],
						samples.begin[i] + samples.seconds[i]]).sort((a, b) => a - b);

		for (let edge = 1; edge < edges.length; edge++) {
			const at = (edges[edge - 1] + edges[edge]) / 2, length = edges[edge] - edges[edge - 1];
			const here = own.filter(i => samples.begin[i] < at &&
						     samples.begin[i] + samples.seconds[i] > at);

			if (!here.length || !(length > 0))
				continue;
			total.covered += length;
			const powers = here.filter(i => joules[i] !== null)
				.map(i => joules[i] / samples.seconds[i]);

			if (powers.length)
				total.joules += length / powers.length * powers.reduce((a, b) => a + b);
		}
	}
	return total;
}

// The rows of the table "Selection".
function sums(samples, rows) {
	const counted = rows.filter(i => samples.flop[i] !== null);
	const flop = sum(samples.flop, counted), bytes = sum(samples.bytes, counted);
	const energy = once(samples, rows, samples.joules[0]);
	const time = own => own.reduce((total, i) => total + timeOf(samples, i), 0);

	return { samples: rows.length, operations: flop, bytes, "CPU time": time(rows),
		 "wall time": energy.covered, intensity: flop / bytes,
		 performance: flop / energy.covered, "per thread": flop / time(counted),
		 "package energy": energy.joules, "package power": energy.joules / energy.covered };
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
