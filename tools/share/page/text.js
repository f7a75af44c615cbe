// SPDX-License-Identifier: GPL-2.0
// Numbers as text. What is not known is a dash, never a zero.
var kermon = {};

(function () {
"use strict";

const SHORT = d3.format(".4~s");
const EXACT = d3.format(",.9~g");

function isKnown(value) {
	return typeof value === "number" && Number.isFinite(value);
}

// The leading digit of a tick, which has no others.
function digitOf(value) {
	return Math.round(value / 10 ** Math.floor(Math.log10(value) + 1e-9));
}

function labelOf(scale, format) {
	const [low, high] = scale.domain();
	const labelled = high / low < 1e3 ? [1, 2, 5] : [1];

	return value => labelled.includes(digitOf(value)) ? format(value) : "";
}

kermon.text = {
	isKnown,

	// With a prefix: 12.34 GFLOP/s.
	si(value, unit) {
		if (!isKnown(value))
			return "–";
		const text = SHORT(value);
		const prefix = /[^\d.]$/.test(text) ? text.slice(-1) : "";

		return `${prefix ? text.slice(0, -1) : text}\u202f${prefix}${unit}`;
	},

	// With all digits.
	exact(value, unit) {
		return isKnown(value) ? `${EXACT(value)}${unit ? `\u202f${unit}` : ""}` : "–";
	},

	plain(value, digits = 3) {
		return isKnown(value) ? d3.format(`.${digits}~r`)(value) : "–";
	},

	percent(value) {
		return isKnown(value) ? `${d3.format(".3~r")(100 * value)}\u202f%` : "–";
	},

	// Of ticks of a logarithmic axis: powers of ten have a label, and 2 and 5 if those are
	// few. Rates have a prefix.
	ticksOfRates: scale => labelOf(scale, d3.format("~s")),
	ticksOfRatios: scale => labelOf(scale, value => String(Number(value.toPrecision(1)))),

	// A comm may be empty or all blanks. Where CPUs were watched, a row is of a CPU: no task
	// has the id 0.
	thread(thread) {
		const name = thread.comm.trim() || "(no name)";

		return thread.tid > 0 ? `${name} ${thread.tid}` : name;
	},
};
})();
