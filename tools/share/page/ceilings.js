// SPDX-License-Identifier: GPL-2.0
// Arithmetic of the cache-aware roofline.
(function () {
"use strict";

// FLOP/s that a ceiling allows at an intensity.
function allows(ceiling, intensity) {
	return ceiling.kind === "flops" ? ceiling.value : ceiling.value * intensity;
}

function label(ceiling) {
	return ceiling.kind === "flops" ? "arithmetic" : ceiling.level;
}

// A dot may be this far above a ceiling and still be at it: both are measured.
const TOLERANCE = 1.02;

// Below this part of the ceiling, something else is likely to bind.
const FAR_BELOW = 0.25;
const LATENCY = ". That far below, latency or dependent instructions are more likely to bind " +
	"than this ceiling";

// What is not of a known class is left out by none.
function classOf(ceiling, names) {
	const found = ceiling.kind === "flops" ? names.indexOf(ceiling.isa) : -1;

	return found < 0 ? Infinity : found;
}

/*
 * Of the ceilings of its machine that are shown, those of the fewest threads decide what binds
 * a sample, and those of as many as ran what binds an application: the lowest one that is not
 * below it, but none beyond the highest peak and bandwidth. Peaks of narrower instructions than
 * most of those that it executed do not bind it; @names are their classes. @machines are those
 * that ceilings are of, by their numbers; none: all are of one.
 */
kermon.ceilings = function (list, names, machines) {
	const classes = list.map(ceiling => classOf(ceiling, names));
	const machineOf = ceiling => ceiling.machine || 0;
	const several = machines.length > 1;
	const none = new Map();
	const ceilings = {
		list,
		shown: list.map(ceiling => Boolean(ceiling.shown)),
		allows,
		label,

		toggle(index) {
			ceilings.shown[index] = !ceilings.shown[index];
			ceilings.choose();
		},

		// Of which machine it is, where there are several.
		name: ceiling => several ? `${machineOf(ceiling) + 1}: ${ceiling.label}` : ceiling.label,
		machineName: machine => several ? `${machine + 1}: ceilings of ${machines[machine].name}` : "",
		machineOf,
		machines: d3.range(Math.max(1, machines.length)),

		// Indexes of those that decide, by machine and number of threads.
		choose() {
			ceilings.byMachine = ceilings.machines.map(() => new Map());
			list.forEach((ceiling, index) => {
				const of = ceilings.byMachine[machineOf(ceiling)];

				if (!ceilings.shown[index])
					return;
				if (!of.has(ceiling.threads))
					of.set(ceiling.threads, []);
				of.get(ceiling.threads).push(index);
			});
			ceilings.fewest = ceilings.byMachine.map(of => d3.min(Array.from(of.keys())));
		},

		// The next higher number of threads that was measured, or else the highest.
		threadsFor(parallel, machine) {
			const all = Array.from((ceilings.byMachine[machine] || none).keys());
			const wanted = Math.round(parallel);

			return d3.min(all.filter(threads => threads >= wanted)) || d3.max(all);
		},

		// Whether it is for applications alone.
		isOfSeveral: ceiling => ceiling.threads > ceilings.fewest[machineOf(ceiling)],

		visible() {
			return list.filter((_, index) => ceilings.shown[index]);
		},

		decide: (kind, machine) =>
			(ceilings.byMachine[machine].get(ceilings.fewest[machine]) || [])
				.map(index => list[index]).filter(ceiling => ceiling.kind === kind),

		// Where the bandwidths of a machine meet its peak.
		ridges(machine) {
			const peak = d3.max(ceilings.decide("flops", machine), c => c.value);

			return peak ? ceilings.decide("bandwidth", machine).map(c => peak / c.value) : [];
		},

		// Index of the ceiling that binds, -1: not known; @simd: index of a class; @machine:
		// number of one; others have no ceilings.
		binding(intensity, rate, simd, machine, threads = ceilings.fewest[machine]) {
			const deciding = (ceilings.byMachine[machine] || none).get(threads) || [];
			let found = -1, lowest = Infinity, peak = 0, widest = 0;

			if (!(intensity > 0 && intensity < Infinity) || !(rate >= 0))
				return -1;
			for (const index of deciding) {
				const allowed = allows(list[index], intensity);

				if (classes[index] < simd)
					continue;
				if (list[index].kind === "flops")
					peak = Math.max(peak, allowed);
				else
					widest = Math.max(widest, allowed);
			}
			const limit = peak && widest ? Math.min(peak, widest) : peak || widest;
			const least = Math.min(rate / TOLERANCE, limit);

			for (const index of deciding) {
				const allowed = allows(list[index], intensity);

				if (!(classes[index] < simd) && allowed >= least && allowed < lowest)
					[found, lowest] = [index, allowed];
			}
			return found;
		},

		// The one that binds and how far from it, in words; @parallel: so many threads ran.
		verdict(intensity, rate, simd, machine, parallel = 1) {
			const threads = ceilings.threadsFor(parallel, machine);
			const ran = Math.max(1, Math.round(parallel));
			const index = ceilings.binding(intensity, rate, simd, machine, threads);

			if (index < 0)
				return "";
			const bound = list[index], part = rate / allows(bound, intensity);
			const kind = bound.kind === "flops" ? "Compute-bound" : "Memory-bound";
			const mostly = names[simd] ? `mostly ${names[simd]}` : "";
			const at = `at ${kermon.text.percent(part)} of ${bound.label}`;

			if (ran !== threads && ran > 1)
				return `${mostly ? `${mostly}: ` : ""}${at}. As many as ${ran} ran at the same ` +
					`time, but these ceilings are of ${threads}: what binds is not known`;
			return `${kind}${mostly ? `, ${mostly}` : ""}: ${at}` +
				(part < FAR_BELOW ? LATENCY : "");
		},
	};

	ceilings.choose();
	return ceilings;
};
})();
