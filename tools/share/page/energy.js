// SPDX-License-Identifier: GPL-2.0
// Energy and wall time of an application whose threads run in parallel. The energy of a
// sample is that of the whole package while it lasted: where samples overlap, each of them
// has it. Here each instant counts once, with the mean power of the samples there.
(function () {
"use strict";

// Begins (even) and ends (odd) of all samples: by run, then by time; ends come first.
function order(table) {
	const edges = new Uint32Array(2 * table.length);
	const when = new Float64Array(2 * table.length);
	let nr = 0;

	for (let i = 0; i < table.length; i++) {
		if (!(table.seconds[i] > 0))
			continue;
		when[2 * i] = table.begin[i];
		when[2 * i + 1] = table.begin[i] + table.seconds[i];
		edges[nr++] = 2 * i;
		edges[nr++] = 2 * i + 1;
	}
	return { when, edges: edges.subarray(0, nr).sort((a, b) =>
		table.run[a >> 1] - table.run[b >> 1] || when[a] - when[b] || (b & 1) - (a & 1)) };
}

kermon.energy = function (table) {
	const energy = {}, { domains } = table;
	let ordered;

	/*
	 * Call visit(run, from, seconds, watts) for each piece of time in which the same samples
	 * of the mask were, at least one of them. watts has the mean power of each domain, NaN if
	 * it is not known, and is overwritten.
	 */
	energy.each = function (mask, visit) {
		const power = new Float64Array(domains), active = new Uint32Array(domains);
		const watts = new Float64Array(domains);
		let running = 0, run = -1, since = 0;

		ordered = ordered || order(table);
		const { when, edges } = ordered;

		for (const edge of edges) {
			const i = edge >> 1, step = edge & 1 ? -1 : 1;

			if (!mask[i])
				continue;
			if (running && when[edge] > since) {
				for (let d = 0; d < domains; d++)
					watts[d] = active[d] ? power[d] / active[d] : NaN;
				visit(run, since, when[edge] - since, watts);
			}
			run = table.run[i];
			since = when[edge];
			running += step;
			for (let d = 0; d < domains; d++) {
				const joules = table.joules[d][i];

				if (joules !== joules)
					continue;
				active[d] += step;
				// what is left of rounding must not stay
				power[d] = active[d] ? power[d] + step * joules / table.seconds[i] : 0;
			}
		}
	};

	// { covered: seconds in which samples of the mask were, joules: [by domain] }
	energy.sum = function (mask) {
		const joules = new Array(domains).fill(NaN);
		let covered = 0;

		energy.each(mask, (run, from, seconds, watts) => {
			covered += seconds;
			for (let d = 0; d < domains; d++)
				if (watts[d] === watts[d])
					joules[d] = (joules[d] || 0) + watts[d] * seconds;
		});
		return { covered, joules };
	};

	return energy;
};
})();
