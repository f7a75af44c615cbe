// SPDX-License-Identifier: GPL-2.0
// The head of the page: verdict, runs, and what a reader must know about the figures.
(function () {
"use strict";

const MONITORS = { kermon: "KerMon", spy: "SpyMon", perf: "perf" };

function notesOf(data) {
	const notes = (data.labels || []).slice();

	data.runs.forEach(run => {
		const name = data.runs.length > 1 ? `${run.label}: ` : "";

		if (run.model)
			notes.push(`${name}recorded on a simulated CPU: time and energy are those of ` +
				   "its model.");
		if (run.ceilings === "other")
			notes.push(`${name}the ceilings are those of another machine.`);
		if (run.ceilings === "unknown")
			notes.push(`${name}unknown whether the ceilings are those of its machine.`);
		(run.statements || []).forEach(statement => notes.push(name + statement));
	});
	return Array.from(new Set(notes));
}

function list(head, name, title, texts) {
	if (!texts.length)
		return;
	const section = head.append("section").attr("class", name);

	if (title)
		section.append("h2").text(title);
	section.append("ul").selectAll("li").data(texts).enter().append("li").text(d => d);
}

function describe(run) {
	return [`${run.label}: ${run.command || run.file}`, MONITORS[run.monitor] || run.monitor,
		run.hostname, run.cpudesc, kermon.text.si(run.duration_s, "s")]
		.filter(Boolean).join(" · ");
}

kermon.heading = function (head, model) {
	const { data } = model;

	head.append("h1").text(document.title);
	list(head, "verdicts", null, data.verdict || []);
	head.append("div").attr("class", "runs").selectAll("p").data(data.runs).enter()
		.append("p").text(describe);
	if (!model.table.length)
		head.append("p").attr("class", "problem")
			.text("The recording has no samples to draw: these are the ceilings alone.");
	list(head, "notes", "Notes", notesOf(data));
};
})();
