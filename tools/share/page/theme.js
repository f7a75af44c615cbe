// SPDX-License-Identifier: GPL-2.0
// Light and dark, and colours that people with any kind of colour vision can tell apart:
// those of categories differ in lightness too, and nothing is told by colour alone.
(function () {
"use strict";

const CATEGORIES = {
	light: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b58900", "#56b4e9", "#5b3b8c",
		"#555555"],
	dark: ["#4aa8e8", "#f08030", "#20c997", "#e39cc4", "#f0e442", "#9fd8ff", "#b79bf0",
	       "#bbbbbb"],
};

// Of early and late: light and dark ends are both visible on the background.
const RAMP = {
	light: ["#4b0f6b", "#3c4f8f", "#24778f", "#1f9d84", "#62b84b", "#d8b500"],
	dark: ["#9a63d6", "#6f86dc", "#46a5c0", "#3fc59c", "#8ad85c", "#fbe426"],
};
const STEPS = 64;

// What binds: memory is blue, the darker the farther from the core; arithmetic is orange.
const BOUND = {
	light: { flops: "#d55e00", L1: "#74c0ee", L2: "#2f8fd0", L3: "#2456a8", DRAM: "#1d2a6d" },
	dark: { flops: "#ff9040", L1: "#d0ecff", L2: "#85c8f8", L3: "#5590e8", DRAM: "#6a6cf0" },
};

function ramp(colours) {
	const at = d3.scaleLinear().domain(colours.map((_, i) => i / (colours.length - 1)))
		.range(colours);

	return d3.range(STEPS).map(step => at(step / (STEPS - 1)));
}

kermon.theme = function () {
	const theme = {
		name: "light",
		steps: STEPS,

		set(name) {
			theme.name = name;
			document.documentElement.dataset.theme = name;
			theme.categories = CATEGORIES[name];
			theme.ramp = ramp(RAMP[name]);
		},

		toggle() {
			theme.set(theme.name === "dark" ? "light" : "dark");
		},

		category(index) {
			return theme.categories[index % theme.categories.length];
		},

		bound(ceiling) {
			const colours = BOUND[theme.name];

			if (!ceiling)
				return theme.css("--faint");
			return ceiling.kind === "flops" ? colours.flops :
			       colours[ceiling.level] || colours.DRAM;
		},

		// What page.css defines, for canvases.
		css(name) {
			return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
		},
	};

	theme.set(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
	return theme;
};
})();
