// SPDX-License-Identifier: GPL-2.0
// The head of the page: verdict, runs, and what a reader must know about the figures.
(function () {
"use strict";

const MONITORS = { kermon: "KerMon", spy: "SpyMon", perf: "perf" };

// What limits the figures, and what else is known of the recordings.
function notesOf(data) {
	const notes = data.labels || [], others = [];

	data.runs.forEach(run => (run.statements || []).forEach(statement => {
		if (!notes.some(note => note.endsWith(statement)))
			others.push((data.runs.length > 1 ? `${run.label}: ` : "") + statement);
	}));
	return { notes, others };
}

// What a reader must not miss, beside the name of a run.
function badgesOf(run, data) {
	return [
		run.model && "simulated CPU",
		data.ceilings.length && run.ceilings === "other" && "ceilings of another machine",
		data.ceilings.length && run.ceilings === "unknown" && "ceilings perhaps of another machine",
	].filter(Boolean);
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
	const runs = head.append("div").attr("class", "runs").selectAll("p").data(data.runs).enter()
		.append("p").text(describe);

	runs.selectAll("span").data(run => badgesOf(run, data)).enter().append("span")
		.attr("class", "badge").text(badge => badge);
	if (!model.table.length)
		head.append("p").attr("class", "problem")
			.text("The recording has no samples to draw: these are the ceilings alone.");
	const { notes, others } = notesOf(data);

	list(head, "notes", "Notes", notes);
	if (others.length) {
		const details = head.append("details");

		details.append("summary").text("About the recording");
		list(details, "statements", null, others);
	}
};
})();
