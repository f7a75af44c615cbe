// SPDX-License-Identifier: GPL-2.0
// The stays on CPUs: each of a thread, with the energy of the package while it lasted. A
// sample is one stay, or of several where sets were rotated, which the data list as intervals.
// If it was on the CPU for less time than from its begin to its end, it is not known when: at
// each instant, it is there with a share of 1. Times are in ns, which are exact.
(function () {
"use strict";

const ns = seconds => Math.round(seconds * 1e9);

function allocate(length, domains) {
	const stays = { length: 0, run: new Uint16Array(length), thread: new Uint32Array(length),
			cpu: new Float64Array(length), package: new Uint8Array(length),
			why: new Float64Array(length), sample: new Int32Array(length),
			from: new Float64Array(length), to: new Float64Array(length),
			share: new Float64Array(length) };

	stays.joules = d3.range(domains).map(() => new Float64Array(length));
	return stays;
}

function shareOf(oncpu, from, to) {
	const share = ns(oncpu) / (to - from);

	return share > 0 && share < 1 - 1e-9 ? share : 1;
}

// Where to find the sample that a stay is of: the first of the thread that does not end before.
function finder(table) {
	const ends = new Map();

	for (let i = 0; i < table.length; i++) {
		if (!ends.has(table.thread[i]))
			ends.set(table.thread[i], { rows: [], times: [] });
		ends.get(table.thread[i]).rows.push(i);
		ends.get(table.thread[i]).times.push(ns(table.begin[i]) + ns(table.seconds[i]));
	}
	return (thread, to) => {
		const { rows, times } = ends.get(thread) || { rows: [], times: [] };
		const at = d3.bisectLeft(times, to);

		return at < rows.length ? rows[at] : -1;
	};
}

function addSamples(stays, table, listed) {
	for (let i = 0; i < table.length; i++) {
		if (listed.has(table.run[i]))
			continue;
		const n = stays.length++, to = ns(table.begin[i]) + ns(table.seconds[i]);

		stays.run[n] = table.run[i];
		stays.thread[n] = table.thread[i];
		stays.cpu[n] = table.cpu[i];
		stays.why[n] = table.why[i];
		stays.sample[n] = i;
		stays.from[n] = ns(table.begin[i]);
		stays.to[n] = to;
		stays.share[n] = shareOf(table.oncpu[i], stays.from[n], to);
		for (let d = 0; d < stays.joules.length; d++)
			stays.joules[d][n] = table.joules[d][i];
	}
}

function addIntervals(stays, table, intervals) {
	const find = finder(table);

	intervals.forEach(([run, thread, cpu, begin, seconds, why, joules, oncpu]) => {
		const n = stays.length++;

		stays.run[n] = run;
		stays.thread[n] = thread;
		stays.cpu[n] = cpu;
		stays.why[n] = why === null ? NaN : why;
		stays.from[n] = ns(begin);
		stays.to[n] = ns(begin) + ns(seconds);
		stays.share[n] = shareOf(oncpu, stays.from[n], stays.to[n]);
		stays.sample[n] = find(thread, stays.to[n]);
		for (let d = 0; d < stays.joules.length; d++)
			stays.joules[d][n] = joules && joules[d] !== null ? joules[d] : NaN;
	});
}

/*
 * Columns, an array each: run, thread, cpu, package, why, sample (index, -1: none), from and
 * to in ns, share, cpuNumber (from 0 on, without holes), and joules with one for each domain.
 */
kermon.stays = function (data, table) {
	const intervals = data.intervals || [], listed = new Set(intervals.map(stay => stay[0]));
	const stays = allocate(table.length + intervals.length, table.domains);
	const packages = data.runs.map(run => run.packages || []);

	addSamples(stays, table, listed);
	if (intervals.length)
		addIntervals(stays, table, intervals);
	const numbers = new Map();

	stays.cpuNumber = Uint32Array.from({ length: stays.length }, (_, n) => {
		if (!numbers.has(stays.cpu[n]))
			numbers.set(stays.cpu[n], numbers.size);
		return numbers.get(stays.cpu[n]);
	});
	stays.cpus = numbers.size;
	for (let n = 0; n < stays.length; n++)
		stays.package[n] = packages[stays.run[n]][stays.cpu[n]] || 0;
	stays.packages = 1 + d3.max([0, ...packages.map(list => d3.max(list) || 0)]);
	return stays;
};
})();
