// SPDX-License-Identifier: GPL-2.0
// The table of samples: a row each, columns as arrays of numbers; and sums of rows. NaN is
// what is not known.
(function () {
"use strict";

const COLUMNS = ["run", "thread", "cpu", "begin", "seconds", "oncpu", "why", "flop", "bytes",
		 "bytes_low", "bytes_high", "simd", "instructions", "cycles", "estimated", "error",
		 "function"];

// A column whose rows are all the same may be given as that value.
function numbers(given, length) {
	const values = new Float64Array(length);

	if (!Array.isArray(given))
		return values.fill(given === null || given === undefined ? NaN : Number(given));
	for (let i = 0; i < length; i++)
		values[i] = given[i] === null || given[i] === undefined ? NaN : given[i];
	return values;
}

function derive(length, compute) {
	const values = new Float64Array(length);

	for (let i = 0; i < length; i++)
		values[i] = compute(i);
	return values;
}

// Of instructions, by their width.
const CLASSES = 8;

function emptySum(domains) {
	return { count: 0, estimated: 0, time: 0, flop: 0, flopTime: 0, pairFlop: 0, bytes: 0,
		 bytesLow: 0, bytesHigh: 0, pairs: 0, flops: 0, instructions: 0, cycles: 0,
		 classes: new Float64Array(CLASSES), joules: new Float64Array(domains),
		 joulesKnown: 0 };
}

function add(sum, table, i) {
	const flop = table.flop[i], bytes = table.bytes[i], time = table.time[i];

	sum.count++;
	sum.estimated += table.estimated[i] > 0;
	sum.time += time;
	if (flop === flop) {
		sum.flops++;
		sum.flop += flop;
		sum.flopTime += time;
		if (table.simd[i] < CLASSES)
			sum.classes[table.simd[i]] += flop;
		// An intensity is of what was counted in the same samples.
		if (bytes === bytes) {
			sum.pairs++;
			sum.pairFlop += flop;
			sum.bytes += bytes;
			sum.bytesLow += table.bytes_low[i];
			sum.bytesHigh += table.bytes_high[i];
		}
	}
	if (table.instructions[i] >= 0)
		sum.instructions += table.instructions[i];
	if (table.cycles[i] >= 0)
		sum.cycles += table.cycles[i];
	for (let domain = 0; domain < sum.joules.length; domain++) {
		const joules = table.joules[domain][i];

		if (joules === joules) {
			sum.joules[domain] += joules;
			sum.joulesKnown |= 1 << domain;
		}
	}
}

// The quotients of a sum; NaN for what was not counted.
function finish(sum) {
	sum.rate = sum.flops ? sum.flop / sum.flopTime : NaN;
	sum.intensity = sum.pairs ? sum.pairFlop / sum.bytes : NaN;
	sum.intensityLow = sum.pairs ? sum.pairFlop / sum.bytesHigh : NaN;
	sum.intensityHigh = sum.pairs ? sum.pairFlop / sum.bytesLow : NaN;
	sum.bandwidth = sum.rate / sum.intensity;
	sum.simd = d3.max(sum.classes) > 0 ? sum.classes.indexOf(d3.max(sum.classes)) : NaN;
	sum.ipc = sum.cycles ? sum.instructions / sum.cycles : NaN;
	sum.joules = Array.from(sum.joules,
		(joules, domain) => sum.joulesKnown >> domain & 1 ? joules : NaN);
	return sum;
}

/*
 * Properties of the table: an array for each name of COLUMNS, joules with one for each
 * domain, and what follows from these:
 *	time		on the CPU, or else from begin to end
 *	rate		FLOP/s
 *	intensity	FLOP/byte
 *	middle		when: a sample belongs to the range that its middle is in, so that
 *			adjacent ranges share no sample
 */
kermon.table = function (data) {
	const given = data.samples, length = (given.begin || []).length;
	const table = { length, domains: data.domains.length, threads: data.threads.length,
			functions: (data.functions || []).length, runs: data.runs.length };

	COLUMNS.forEach(name => table[name] = numbers(given[name], length));
	table.joules = data.domains.map((_, domain) =>
		numbers((given.joules || [])[domain], length));
	["bytes_low", "bytes_high"].forEach(name => {
		const bound = table[name];

		table[name] = derive(length, i => bound[i] >= 0 ? bound[i] : table.bytes[i]);
	});
	table.time = derive(length, i => table.oncpu[i] > 0 ? table.oncpu[i] : table.seconds[i]);
	table.rate = derive(length, i => table.flop[i] / table.time[i]);
	table.intensity = derive(length, i => table.flop[i] / table.bytes[i]);
	table.middle = derive(length, i => table.begin[i] + table.seconds[i] / 2);
	table.end = length ? d3.max(derive(length, i => table.begin[i] + table.seconds[i])) : 0;
	table.start = length ? d3.min(table.begin) : 0;

	// { all: sum, threads: [sum of each], functions: [sum of each] } of the rows whose mask is
	// not 0.
	table.sum = function (mask) {
		const all = emptySum(table.domains);
		const sums = nr => d3.range(nr).map(() => emptySum(table.domains));
		const threads = sums(table.threads), functions = sums(table.functions);

		for (let i = 0; i < length; i++) {
			if (!mask[i])
				continue;
			add(all, table, i);
			if (threads[table.thread[i]])
				add(threads[table.thread[i]], table, i);
			if (functions[table.function[i]])
				add(functions[table.function[i]], table, i);
		}
		finish(all);
		threads.forEach(finish);
		functions.forEach(finish);
		return { all, threads, functions };
	};
	return table;
};
})();
