// SPDX-License-Identifier: GPL-2.0
// Which samples all views show: those of threads that are not hidden, in a range of time and
// in a region of the roofline.
(function () {
"use strict";

kermon.selection = function (table, energy, runs) {
	const ofCpus = runs.every(run => run.monitor === "spy");
	const selection = {
		energy,
		range: null,		// [from, to) in seconds
		region: null,		// { intensity: [from, to], rate: [from, to] }
		hidden: new Uint8Array(table.threads),
		visible: new Uint8Array(table.length),	// of threads that are not hidden
		shaded: new Uint8Array(table.length),	// of these, in the region
		mask: new Uint8Array(table.length),	// of these, in the range
		runs: new Uint8Array(runs.length),	// which have any of these
	};

	function inRegion(i) {
		const { intensity, rate } = selection.region;

		return table.intensity[i] >= intensity[0] && table.intensity[i] <= intensity[1] &&
		       table.rate[i] >= rate[0] && table.rate[i] <= rate[1];
	}

	selection.isEmpty = () => !selection.range && !selection.region;

	selection.clear = function () {
		selection.range = selection.region = null;
		selection.update();
	};

	selection.toggle = function (thread) {
		selection.hidden[thread] ^= 1;
		selection.update();
	};

	// Only this thread, or all again.
	selection.only = function (thread) {
		const alone = selection.hidden.every((hidden, i) => Boolean(hidden) === (i !== thread));

		selection.hidden.fill(alone ? 0 : 1);
		selection.hidden[thread] = 0;
		selection.update();
	};

	selection.update = function () {
		const { range, region } = selection;

		selection.runs.fill(0);
		for (let i = 0; i < table.length; i++) {
			const visible = !selection.hidden[table.thread[i]];
			const shaded = visible && (!region || inRegion(i));

			selection.visible[i] = visible;
			selection.shaded[i] = shaded;
			selection.mask[i] = shaded && (!range ||
				table.middle[i] >= range[0] && table.middle[i] < range[1]);
			if (selection.mask[i])
				selection.runs[table.run[i]] = 1;
		}
		selection.sums = table.sum(selection.mask);
		// Of the application: wall time, and each joule once.
		const { sums } = selection, once = sums.once = energy.sum(selection.mask);

		// By the wall time and the energy of the samples that have operations, as far as they
		// are known.
		once.counted = sums.all.flops < sums.all.count ? energy.sum(selection.mask.map(
			(mask, i) => mask && table.flop[i] === table.flop[i])).joules : once.joules;
		once.rate = sums.all.flops ? sums.all.flop / (once.covered * sums.all.flopTime /
							      sums.all.time) : NaN;
		// CPUs always run: as many as would execute all operations alike
		once.parallel = ofCpus ? sums.all.flop / d3.max(sums.threads, sum => sum.flop) || 1 :
			sums.all.time / once.covered;
	};

	selection.update();
	return selection;
};
})();
