// SPDX-License-Identifier: GPL-2.0
// Places for names along lines of a picture, so that no text covers another.
(function () {
"use strict";

// In pixels: of a character, of a line of text, and between two places to try.
const CHARACTER = 6.2, HEIGHT = 12, PIECE = 8, STEP = 10;

const lengthOf = text => CHARACTER * text.length;

kermon.names = function () {
	const covered = [];

	function* pieces(x, y, length, angle) {
		for (let at = 0; at <= length; at += PIECE)
			yield [x + at * Math.cos(angle), y + at * Math.sin(angle)];
	}

	function isFree(x, y, length, angle) {
		for (const [px, py] of pieces(x, y, length, angle))
			if (covered.some(([cx, cy]) => Math.hypot(px - cx, py - cy) < HEIGHT))
				return false;
		return true;
	}

	return {
		lengthOf,

		isFree: (x, y, length) => isFree(x, y, length, 0),

		// Text of that length that begins at x, y.
		cover(x, y, length) {
			covered.push(...pieces(x, y, length, 0));
		},

		// Where on the line [[x1, y1], [x2, y2]], in degrees; at its end if nothing is free.
		place([[x1, y1], [x2, y2]], text, fromEnd) {
			const angle = Math.atan2(y2 - y1, x2 - x1), whole = Math.hypot(x2 - x1, y2 - y1);
			const length = lengthOf(text), last = Math.max(0, whole - length - 4);
			const first = fromEnd ? last : Math.min(STEP, last);
			const point = at => [x1 + at * Math.cos(angle), y1 + at * Math.sin(angle)];
			let found = first;

			for (let moved = 0; moved <= last; moved += STEP) {
				const at = fromEnd ? first - moved : first + moved;

				if (at < 0 || at > last)
					break;
				if (isFree(...point(at), length, angle)) {
					found = at;
					break;
				}
			}
			covered.push(...pieces(...point(found), length, angle));
			return { at: point(found), angle: angle * 180 / Math.PI };
		},
	};
};
})();
