// SPDX-License-Identifier: GPL-2.0
// For eight seconds: maps, sorting, JSON, regular expressions, garbage.
"use strict";

const words = Array.from({length: 20000}, (_, i) => "word" + (i * 7919) % 10007);
const until = Date.now() + 8000;

function count(words) {
	const counts = new Map();
	for (const word of words)
		counts.set(word, (counts.get(word) || 0) + 1);
	return counts;
}

function tree(levels) {
	return levels ? {left: tree(levels - 1), right: tree(levels - 1)} : null;
}

function depth(tree) {
	return tree ? 1 + Math.max(depth(tree.left), depth(tree.right)) : 0;
}

while (Date.now() < until) {
	[...count(words)].sort((a, b) => b[1] - a[1]);
	JSON.parse(JSON.stringify(words)).map(word => word.replace(/[aeiou]/g, "")).join(" ");
	depth(tree(14));
}
