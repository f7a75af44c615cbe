// SPDX-License-Identifier: GPL-2.0
// Energy and wall time of an application whose threads run in parallel. The energy of a stay
// on a CPU is that of the whole package while it lasted: where stays overlap, each of them has
// it. Here each instant counts once, with the mean power of the stays there on each package,
// and packages are added. tools/lib/roofline/energy.c does the same.
(function () {
"use strict";

// Indexes of the stays that last, by run, then by the time in a column.
function order(stays, lasting, times) {
	const before = (a, b) => stays.run[a] - stays.run[b] || times[a] - times[b];

	// that of ends is as they are in the file
	for (let i = 1; i < lasting.length; i++)
		if (before(lasting[i - 1], lasting[i]) > 0)
			return lasting.slice().sort(before);
	return lasting;
}

kermon.energy = function (stays) {
	const energy = {}, domains = stays.joules.length, { packages, from, to } = stays;
	const open = new Uint32Array(packages * domains), power = new Float64Array(packages * domains);
	const watts = new Float64Array(domains);
	let begins, ends, instants;

	function sort() {
		const lasting = new Uint32Array(stays.length), others = [];
		let nr = 0;

		for (let n = 0; n < stays.length; n++) {
			if (to[n] > from[n])
				lasting[nr++] = n;
			else
				others.push(n);
		}
		begins = order(stays, lasting.subarray(0, nr), from);
		ends = order(stays, lasting.subarray(0, nr), to);
		instants = others;
	}

	// A stay begins (1) or ends (-1).
	function pass(n, step) {
		for (let d = 0; d < domains; d++) {
			const joules = stays.joules[d][n], at = stays.package[n] * domains + d;

			if (joules !== joules)
				continue;
			open[at] += step;
			// what is left of rounding must not stay
			power[at] = open[at] ? power[at] + step * joules * 1e9 / (to[n] - from[n]) : 0;
		}
	}

	// All packages together; NaN: none is measured.
	function sumPackages() {
		for (let d = 0; d < domains; d++) {
			watts[d] = NaN;
			for (let at = d; at < open.length; at += domains)
				if (open[at])
					watts[d] = (watts[d] || 0) + power[at] / open[at];
		}
	}

	/*
	 * Call visit(run, from, seconds, watts) for each piece of time in which the same stays of
	 * samples of the mask were, at least one of them. watts has the power of each domain, NaN
	 * if it is not known, and is overwritten.
	 */
	energy.each = function (mask, visit) {
		let running = 0, since = 0;

		if (!begins)
			sort();
		open.fill(0);
		power.fill(0);
		for (let b = 0, e = 0; e < ends.length;) {
			const begin = begins[b], end = ends[e];
			// ends come first; a run begins when the one before has ended
			const isEnd = b === begins.length || stays.run[begin] > stays.run[end] ||
				stays.run[begin] === stays.run[end] && from[begin] >= to[end];
			const n = isEnd ? end : begin, time = isEnd ? to[n] : from[n];

			if (isEnd)
				e++;
			else
				b++;
			if (!mask[stays.sample[n]])
				continue;
			if (running && time > since) {
				sumPackages();
				visit(stays.run[n], since / 1e9, (time - since) / 1e9, watts);
			}
			since = time;
			running += isEnd ? -1 : 1;
			pass(n, isEnd ? -1 : 1);
		}
	};

	// { covered: seconds in which stays of the mask were, joules: [by domain] }
	energy.sum = function (mask) {
		const joules = new Array(domains).fill(NaN);
		const add = (d, more) => {
			if (more === more)
				joules[d] = (joules[d] || 0) + more;
		};
		let covered = 0;

		energy.each(mask, (run, begin, seconds, power) => {
			covered += seconds;
			for (let d = 0; d < domains; d++)
				add(d, power[d] * seconds);
		});
		// what was measured in no time
		instants.filter(n => mask[stays.sample[n]]).forEach(n => {
			for (let d = 0; d < domains; d++)
				add(d, stays.joules[d][n]);
		});
		return { covered, joules };
	};

	return energy;
};
})();
