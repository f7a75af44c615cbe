// SPDX-License-Identifier: GPL-2.0
// Reads the data and puts the page together.
(function () {
"use strict";

const FORMAT = "kermon roofline 1";

function start(data) {
	if (data.format !== FORMAT)
		throw new Error(`unknown format "${data.format}", not "${FORMAT}"`);
	const model = kermon.page = kermon.model(data);
	let width = innerWidth;

	kermon.heading(d3.select("#head"), model);
	kermon.controls(d3.select("#tools"), model);
	kermon.place(model, d3.select("#views"));
	model.changed("all");
	model.flush();
	addEventListener("resize", () => {
		if (width !== innerWidth)
			model.changed("size");
		width = innerWidth;
	});
	printing(model);
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", change => {
		model.theme.set(change.matches ? "dark" : "light");
		model.changed("theme");
	});
}

// On paper the page is light, and as wide as it is there.
function printing(model) {
	let theme;

	function redraw() {
		model.changed("theme");
		model.changed("size");
		model.flush();
	}

	addEventListener("beforeprint", () => {
		theme = model.theme.name;
		model.theme.set("light");
		redraw();
	});
	addEventListener("afterprint", () => {
		model.theme.set(theme);
		redraw();
	});
}

// A long text of JSON is in the page as a string: compressed by gzip, in base64.
async function unpack(data) {
	if (typeof data !== "string")
		return data;
	if (typeof DecompressionStream === "undefined")
		throw new Error("this browser cannot decompress it; use one of 2023 or later");
	const text = atob(data), bytes = new Uint8Array(text.length);

	for (let i = 0; i < text.length; i++)
		bytes[i] = text.charCodeAt(i);
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));

	return JSON.parse(await new Response(stream).text());
}

async function open() {
	start(await unpack(JSON.parse(document.getElementById("data").textContent)));
}

open().catch(error => {
	const problem = document.createElement("p");

	problem.className = "problem";
	problem.textContent = `This report cannot be drawn: ${error.message}`;
	document.getElementById("head").append(problem);
	console.error(error);
});
})();
