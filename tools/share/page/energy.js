// SPDX-License-Identifier: GPL-2.0
// Energy and wall time of an application whose threads run in parallel. The energy of a stay
// on a CPU is that of the whole package while it lasted: where stays overlap, each of them has
// it. Here each instant counts once, with the mean power of the stays there on each package,
// weighted by their shares, and packages are added. tools/lib/roofline/energy.c does the same.
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

// Larger shares are all the time.
const ALWAYS = 1 - 1e-12;

/*
 * @nr crowds of stays, on the same CPUs. A crowd has the number of its stays, how many of them
 * are there all the time, the sums of their shares and powers, and the sum of the logarithms of
 * the shares in which none of the others is on a CPU.
 */
function crowdsOf(nr, cpus) {
	const open = new Uint32Array(nr), whole = new Uint32Array(nr), away = new Float64Array(nr);
	const share = new Float64Array(nr), power = new Float64Array(nr);
	const cpuOpen = new Uint32Array(nr * cpus), cpuShare = new Float64Array(nr * cpus);

	const awayOf = at => Math.log1p(-Math.min(cpuShare[at], ALWAYS));

	return {
		open,
		// that any of them is on a CPU
		presence: crowd => whole[crowd] ? 1 : open[crowd] ? -Math.expm1(away[crowd]) : 0,
		mean: crowd => power[crowd] / share[crowd],
		pass(crowd, cpu, part, watts, step) {
			const at = crowd * cpus + cpu;

			if (part < 1) {
				const before = awayOf(at);

				cpuOpen[at] += step;
				cpuShare[at] = cpuOpen[at] ? Math.max(cpuShare[at] + step * part, 0) : 0;
				away[crowd] += awayOf(at) - before;
			} else {
				whole[crowd] += step;
			}
			open[crowd] += step;
			// what is left of rounding must not stay
			share[crowd] = open[crowd] ? share[crowd] + step * part : 0;
			power[crowd] = open[crowd] ? power[crowd] + step * watts : 0;
			away[crowd] = open[crowd] ? away[crowd] : 0;
		},
		clear: () => [open, whole, away, share, power, cpuOpen, cpuShare].forEach(a => a.fill(0)),
	};
}

kermon.energy = function (stays) {
	const energy = {}, domains = stays.joules.length, { packages, from, to } = stays;
	// of each domain and package, and of all stays
	const all = packages * domains, crowds = crowdsOf(all + 1, stays.cpus);
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
		const cpu = stays.cpuNumber[n], share = stays.share[n];

		crowds.pass(all, cpu, share, 0, step);
		for (let d = 0; d < domains; d++) {
			const joules = stays.joules[d][n];

			if (joules === joules)
				crowds.pass(stays.package[n] * domains + d, cpu, share,
					    joules * 1e9 / (to[n] - from[n]), step);
		}
	}

	// All packages together; NaN: none is measured.
	function sumPackages() {
		for (let d = 0; d < domains; d++) {
			watts[d] = NaN;
			for (let at = d; at < all; at += domains)
				if (crowds.open[at])
					watts[d] = (watts[d] || 0) + crowds.presence(at) * crowds.mean(at);
		}
	}

	/*
	 * Call visit(run, from, seconds, watts, share) for each piece of time in which the same
	 * stays of samples of the mask were, at least one of them, for a share of the time. watts
	 * has the mean power of each domain, NaN if it is not known, and is overwritten.
	 */
	energy.each = function (mask, visit) {
		let since = 0;

		if (!begins)
			sort();
		crowds.clear();
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
			if (crowds.open[all] && time > since) {
				sumPackages();
				visit(stays.run[n], since / 1e9, (time - since) / 1e9, watts,
				      crowds.presence(all));
			}
			since = time;
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

		energy.each(mask, (run, begin, seconds, power, share) => {
			covered += share * seconds;
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
