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
 * Of the ceilings that are shown, those of the fewest threads decide what binds a sample, and
 * those of as many as ran what binds an application: the lowest one that is not below it, but
 * none beyond the highest peak and bandwidth. Peaks of narrower instructions than most of
 * those that it executed do not bind it; @names are their classes.
 */
kermon.ceilings = function (list, names) {
	const classes = list.map(ceiling => classOf(ceiling, names));
	const ceilings = {
		list,
		shown: list.map(ceiling => Boolean(ceiling.shown)),
		allows,
		label,

		toggle(index) {
			ceilings.shown[index] = !ceilings.shown[index];
			ceilings.choose();
		},

		// Indexes of those that decide, by their number of threads.
		choose() {
			ceilings.byThreads = new Map();
			list.forEach((ceiling, index) => {
				if (!ceilings.shown[index])
					return;
				if (!ceilings.byThreads.has(ceiling.threads))
					ceilings.byThreads.set(ceiling.threads, []);
				ceilings.byThreads.get(ceiling.threads).push(index);
			});
			ceilings.fewest = d3.min(Array.from(ceilings.byThreads.keys()));
		},

		// The next higher number of threads that was measured, or else the highest.
		threadsFor(parallel) {
			const all = Array.from(ceilings.byThreads.keys()), wanted = Math.round(parallel);

			return d3.min(all.filter(threads => threads >= wanted)) || d3.max(all);
		},

		// Whether it is for applications alone.
		isOfSeveral: ceiling => ceiling.threads > ceilings.fewest,

		visible() {
			return list.filter((_, index) => ceilings.shown[index]);
		},

		decide: kind => (ceilings.byThreads.get(ceilings.fewest) || [])
			.map(index => list[index]).filter(ceiling => ceiling.kind === kind),

		peak: () => d3.max(ceilings.decide("flops"), c => c.value),
		bandwidths: () => ceilings.decide("bandwidth"),

		// Index of the ceiling that binds, -1: not known; @simd: index of a class.
		binding(intensity, rate, simd, threads = ceilings.fewest) {
			const deciding = ceilings.byThreads.get(threads) || [];
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
		verdict(intensity, rate, simd, parallel = 1) {
			const threads = ceilings.threadsFor(parallel), ran = Math.max(1, Math.round(parallel));
			const index = ceilings.binding(intensity, rate, simd, threads);

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
