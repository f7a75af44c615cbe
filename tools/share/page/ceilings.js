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

/*
 * The ceilings that are shown decide what binds: the lowest one above a dot, or, if a dot is
 * above all of them, the highest.
 */
kermon.ceilings = function (list) {
	const ceilings = {
		list,
		shown: list.map(ceiling => Boolean(ceiling.shown)),
		allows,
		label,

		toggle(index) {
			ceilings.shown[index] = !ceilings.shown[index];
		},

		visible() {
			return list.filter((_, index) => ceilings.shown[index]);
		},

		peak() {
			return d3.max(ceilings.visible().filter(c => c.kind === "flops"), c => c.value);
		},

		bandwidths() {
			return ceilings.visible().filter(c => c.kind !== "flops");
		},

		// Index of the ceiling that binds, -1: not known.
		binding(intensity, rate) {
			let above = -1, lowest = Infinity, top = -1, highest = -Infinity;

			if (!(intensity > 0) || !(rate >= 0))
				return -1;
			for (let index = 0; index < list.length; index++) {
				if (!ceilings.shown[index])
					continue;
				const allowed = allows(list[index], intensity);

				if (allowed >= rate && allowed < lowest)
					[above, lowest] = [index, allowed];
				if (allowed > highest)
					[top, highest] = [index, allowed];
			}
			return above >= 0 ? above : top;
		},

		// The one that binds and how far from it, in words.
		verdict(intensity, rate) {
			const index = ceilings.binding(intensity, rate);

			if (index < 0)
				return "";
			const bound = list[index], allowed = allows(bound, intensity);
			const what = bound.kind === "flops" ? "Compute-bound" : "Memory-bound";
			const far = kermon.text.percent(rate / allowed);

			return `${what}: at ${far} of ${bound.label}`;
		},
	};

	return ceilings;
};
})();
