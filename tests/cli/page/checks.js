// SPDX-License-Identifier: GPL-2.0
// usage: node checks.js CHECK PAGE DATA
// Open the page in headless Chromium, make one check of those below, and print what is wrong.
// DATA is a file with the JSON that is in the page.
"use strict";

const fs = require("fs");
const { Browser } = require("./browser.js");
const expected = require("./expected.js");

function expect(condition, what) {
	if (!condition)
		throw new Error(what);
}

function near(value, wanted, tolerance, what) {
	expect(Math.abs(value - wanted) <= tolerance * Math.max(Math.abs(wanted), 1e-300),
	       `${what}: ${value}, not ${wanted}`);
}

const view = name => `kermon.page.shown.find(shown => shown.name === "${name}").view`;

// Where an axis has its ticks: [[value, pixel], ...], in the coordinates of the window.
async function ticks(page, selector, side) {
	const found = await page.value(`Array.from(document.querySelectorAll("${selector} .tick"))
		.map(tick => [tick.querySelector("text").textContent,
			      tick.querySelector("line").getBoundingClientRect().${side} - 0.5])`);
	const prefixes = { k: 1e3, M: 1e6, G: 1e9, T: 1e12 };

	return found.filter(([text]) => text).map(([text, pixel]) => [
		parseFloat(text.replace("−", "-")) * (prefixes[text.slice(-1)] || 1), pixel]);
}

// From values to pixels, by two ticks.
function scale(list, transform = value => value) {
	const [[a, pixelA], [b, pixelB]] = [list[0], list[list.length - 1]];

	return value => pixelA + (transform(value) - transform(a)) * (pixelB - pixelA) /
		(transform(b) - transform(a));
}

// Pixels of all dots in the window: as the axes say, and as the page has them.
async function dots(page, { samples }) {
	const x = scale(await ticks(page, "#roofline .axis.x", "x"), Math.log10);
	const y = scale(await ticks(page, "#roofline .axis.y", "y"), Math.log10);
	const drawn = await page.value(`(() => {
		const { dots } = ${view("roofline")};
		const box = document.querySelector("#roofline canvas").getBoundingClientRect();
		return Array.from(dots.x, (x, i) => x === x ? [x + box.x + 62, dots.y[i] + box.y + 12] :
				  null);
	})()`);

	return drawn.map((at, i) => ({ at, wanted: samples.flop[i] > 0 && samples.bytes[i] > 0 ?
		[x(samples.flop[i] / samples.bytes[i]), y(samples.flop[i] / expected.timeOf(samples, i))] : null }));
}

// Colours of the canvas of the roofline at points of the window.
function coloursAt(page, points) {
	return page.value(`(() => {
		const canvas = document.querySelector("#roofline canvas");
		const box = canvas.getBoundingClientRect();
		const image = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);

		return ${JSON.stringify(points)}.map(([x, y]) => {
			const at = 4 * (Math.floor(y - box.y) * canvas.width + Math.floor(x - box.x));
			return image.data.slice(at, at + 4).join();
		});
	})()`);
}

async function sumsShown(page) {
	return Object.fromEntries(await page.value(
		`Array.from(document.querySelectorAll("#sums tr"))
		.map(row => [row.dataset.name, Number(row.dataset.value)])`));
}

async function expectSums(page, data, rows, what) {
	const shown = await sumsShown(page);

	for (const [name, value] of Object.entries(expected.sums(data, rows)))
		near(shown[name], value, 1e-9, `${what}: ${name}`);
}

async function box(page, selector) {
	return page.value(`(() => {
		const found = document.querySelector(\`${selector}\`);
		found.scrollIntoView({ block: "nearest" });
		const { x, y, width, height } = found.getBoundingClientRect();
		return { x, y, width, height };
	})()`);
}

async function clickOn(page, selector) {
	const at = await box(page, selector);

	await page.click(at.x + at.width / 2, at.y + at.height / 2);
}

function expectPlaces(all) {
	all.forEach(({ at, wanted }, i) => {
		expect(Boolean(at) === Boolean(wanted), `dot ${i} is ${at}, not ${wanted}`);
		expect(!at || Math.hypot(at[0] - wanted[0], at[1] - wanted[1]) < 0.7,
		       `dot ${i} at ${at}, not ${wanted}`);
	});
}

const range = page => page.value("kermon.page.selection.range");

const inRange = ({ samples }, [from, to]) => expected.rowsOf(samples, i =>
	expected.middle(samples, i) >= from && expected.middle(samples, i) < to);

// Whether an element or one within has the focus.
const hasFocus = (page, selector) =>
	page.value(`document.querySelector("${selector}").contains(document.activeElement)`);

async function tabTo(page, selector) {
	for (let presses = 0; presses < 60; presses++) {
		await page.key("Tab");
		if (await hasFocus(page, selector))
			return;
	}
	throw new Error(`Tab does not reach ${selector}`);
}

const checks = {
	// Dots are where the data say, and have the colour of what binds.
	async dots(page, data) {
		const all = await dots(page, data);

		expect(all.length === data.samples.begin.length, `${all.length} dots`);
		expectPlaces(all);
		// the same place without dots, on the left of the plot and at the upper edge of it
		const step = Math.ceil(all.length / 1000);
		const drawn = all.filter(({ at }, i) => at && i % step === 0).map(({ at }) => at);
		const top = Math.min(...drawn.map(at => at[1])) - 40;
		const colours = await coloursAt(page, [...drawn, ...drawn.map(at => [at[0], top])]);
		const above = colours.splice(drawn.length);

		colours.forEach((colour, i) => expect(colour !== above[i], `no dot at ${drawn[i]}`));
		const bound = await page.value("Array.from(kermon.page.bound)"), { samples } = data;

		expected.rowsOf(samples, i => samples.flop[i] > 0).forEach(i =>
			expect(i % step || bound[i] === expected.binding(data.ceilings, samples.flop[i] / samples.bytes[i],
							     samples.flop[i] / samples.oncpu[i]),
			       `${data.ceilings[bound[i]].label} binds ${i}`));
		const note = await page.value("document.querySelector('#roofline .note').textContent");

		expect(/without floating-point.*: 1\..* not counted: 1\./.test(note), `note: ${note}`);
	},

	// Of many samples, too: their sums, and dots as squares.
	async many(page, data) {
		const { samples } = data;
		const rows = expected.rowsOf(samples), shown = await sumsShown(page);

		near(shown.samples, rows.length, 0, "samples");
		near(shown.operations, expected.sum(samples.flop, rows), 1e-9, "operations");
		near(shown.bytes, expected.sum(samples.bytes, rows), 1e-9, "bytes");
		await checks.dots(page, data);
	},

	// The pointer shows exact values.
	async hover(page, data) {
		const all = await dots(page, data), { samples } = data;
		const values = samples.flop.map((flop, i) => flop > 0 ? flop / samples.bytes[i] : 0);
		const i = values.indexOf(Math.max(...values));	// away from averages

		await page.mouse("mouseMoved", ...all[i].at);
		const text = await page.value("document.querySelector('#hover').innerText");
		const shown = Number((/operations\s+([\d,]+)/.exec(text) || [, "none"])[1].replace(/,/g, ""));

		expect(shown === samples.flop[i], `hover: ${text}`);
		await page.mouse("mouseMoved", 2, 2);
		expect(await page.value("document.querySelector('#hover').hidden"), "hover stays");
	},

	// A brush on the timeline filters sums, threads, power and dots.
	async brush(page, data) {
		const { samples } = data;

		await expectSums(page, data, expected.rowsOf(samples), "all");
		const at = await box(page, "#timeline svg");
		const list = await ticks(page, "#timeline .layers > svg > g > .axis.x", "x");
		const x = scale(list), end = Math.max(...samples.begin);

		await page.drag([x(end * 0.3), at.y + 60], [x(end * 0.5), at.y + 60]);
		const [from, to] = await range(page);

		near(from, end * 0.3, 0.02, "begin of the range");
		near(to, end * 0.5, 0.02, "end of the range");
		const rows = inRange(data, [from, to]);

		expect(rows.length > 20 && rows.length < samples.begin.length / 2, `${rows.length} rows`);
		await expectSums(page, data, rows, "range");
		const flop = expected.sum(samples.flop, rows.filter(i => samples.thread[i] === 1));

		near(await page.value("kermon.page.selection.sums.threads[1].flop"), flop, 1e-9, "thread");
		const selected = await page.value("Array.from(kermon.page.selection.mask)");

		expect(selected.every((mask, i) => Boolean(mask) === rows.includes(i)), "dots of the range");
		// The brush alone: a click beside it ends it.
		await page.click(x(end * 0.8), at.y + 60);
		expect(await range(page) === null, "the range stays");
		await expectSums(page, data, expected.rowsOf(samples), "after the range");
	},

	// A region of the roofline filters the rest.
	async region(page, data) {
		const all = await dots(page, data), { samples } = data;
		const compute = all.filter(({ wanted }, i) => wanted && samples.flop[i] / samples.bytes[i] > 3);
		const xs = compute.map(dot => dot.at[0]), ys = compute.map(dot => dot.at[1]);

		await page.drag([Math.min(...xs) - 15, Math.min(...ys) - 15],
				[Math.max(...xs) + 15, Math.max(...ys) + 15], 8);
		expect(await page.value("kermon.page.selection.region !== null"), "no region");
		await expectSums(page, data, expected.rowsOf(samples, i =>
			samples.flop[i] / samples.bytes[i] > 3), "region");
	},

	// Threads and ceilings can be hidden.
	async toggles(page, data) {
		const { samples } = data;

		await clickOn(page, "#threads tr[data-thread='0'] input");
		await expectSums(page, data, expected.rowsOf(samples, i => samples.thread[i] !== 0), "one thread");
		await clickOn(page, "#threads tr[data-thread='0'] input");
		const before = await page.value("document.querySelectorAll('#roofline .ceiling').length");

		expect(before === data.ceilings.filter(c => c.shown).length, `${before} ceilings`);
		await clickOn(page, "#legend summary");
		await clickOn(page, "#legend input[data-ceiling='1']");
		expect(await page.value("document.querySelectorAll('#roofline .ceiling').length") === before + 1,
		       "no other ceiling");
		data.ceilings[1].shown = true;
		const bound = await page.value("Array.from(kermon.page.bound)");

		expect(bound.every((index, i) => !(samples.flop[i] > 0) || index === expected.binding(data.ceilings,
			samples.flop[i] / samples.bytes[i], samples.flop[i] / samples.oncpu[i])), "bound as before");
	},

	// Everything can be done by keys.
	async keys(page, data) {
		await tabTo(page, "#roofline .body");
		await page.key("]");
		const text = await page.value("document.querySelector('#hover').innerText");

		expect(/operations/.test(text), `]: ${text}`);
		await tabTo(page, "#timeline .body");
		await page.key("ArrowRight");
		const first = await range(page);

		await page.key("ArrowRight");
		const second = await range(page);

		expect(first && second[0] > first[0], `range ${first}, ${second}`);
		near(second[1] - second[0], first[1] - first[0], 1e-6, "width");
		await expectSums(page, data, inRange(data, second), "by keys");
		await page.key("ArrowRight", 8);
		expect((await range(page))[1] > second[1], "Shift does not extend");
		await page.key("End");
		near((await range(page))[1], await page.value("kermon.page.table.end"), 1e-9, "End");
		const before = await page.value(`${view("timeline")}.x.domain()`);

		await page.key("+");
		const after = await page.value(`${view("timeline")}.x.domain()`);

		expect(after[1] - after[0] < before[1] - before[0], "+ does not zoom");
		await page.key("?");
		expect(await page.value("document.querySelector('#help').open"), "no help");
		expect(/Escape/.test(await page.value("document.querySelector('#help').innerText")), "empty help");
		await page.key("Escape");
		expect(!await page.value("document.querySelector('#help').open"), "help stays");
		expect(await range(page) !== null, "Escape closed help and cleared the range");
		await page.key("Escape");
		expect(await range(page) === null, "Escape does not clear");
		const colours = await page.value("kermon.page.colours");

		await page.key("c");
		expect(await page.value("kermon.page.colours") !== colours, "c");
	},

	// Values of averages, ceilings and curves, and a region, by keys.
	async values(page, data) {
		const hover = () => page.value("document.querySelector('#hover').innerText");
		const { samples } = data, seen = new Set();

		await tabTo(page, "#roofline .body");
		const nr = await page.value(`${view("roofline")}.marks.length`);

		for (let presses = 0; presses < nr + 6; presses++) {
			await page.key("m");
			seen.add((await hover()).split("\n")[0]);
		}
		["application", "main 100", "worker 101", "DP FMA peak AVX, 1 thread", "DRAM 2:1, 1 thread"]
			.forEach(name => expect(seen.has(name), `m does not reach ${name}: ${[...seen]}`));
		await page.key("ArrowLeft", 8);
		for (let presses = 0; presses < 4; presses++)
			await page.key("ArrowLeft", 8);
		await page.key("PageUp");
		const { intensity, rate } = await page.value("kermon.page.selection.region");
		const rows = expected.rowsOf(samples, i => {
			const at = samples.flop[i] / samples.bytes[i], speed = samples.flop[i] / samples.oncpu[i];

			return at >= intensity[0] && at <= intensity[1] && speed >= rate[0] && speed <= rate[1];
		});

		expect(rows.length > 0 && rows.length < samples.begin.length, `${rows.length} in the region`);
		await expectSums(page, data, rows, "region by keys");
		await page.key("Escape");
		await tabTo(page, "#timeline .body");
		await page.key("]");
		const first = await hover();

		await page.key("]");
		expect(/performance/.test(first) && await hover() !== first, `values over time: ${first}`);
	},

	// A wheel scrolls, and zooms what has the focus.
	async zoom(page) {
		const at = await box(page, "#roofline svg"), middle = [at.x + at.width / 2, at.y + at.height / 2];
		const domain = () => page.value(`${view("roofline")}.x.domain()`);
		const wide = await domain();

		await page.mouse("mouseWheel", ...middle, { deltaX: 0, deltaY: -120 });
		await page.frame();
		expect(String(await domain()) === String(wide), "zooms without the focus");
		await page.value("window.scrollTo(0, 0)");
		await page.value("document.querySelector('#roofline .body').focus()");
		await page.mouse("mouseWheel", ...middle, { deltaX: 0, deltaY: -120 });
		await page.frame();
		const narrow = await domain();

		expect(narrow[1] / narrow[0] < wide[1] / wide[0], "does not zoom");
		await page.drag(middle, [middle[0] - 50, middle[1]]);
		expect((await domain())[0] > narrow[0], "does not move");
	},

	// Dark by the system's setting and by the key; light on paper.
	async theme(page) {
		const back = () => page.value("getComputedStyle(document.body).backgroundColor");
		const light = await back();
		const set = value => page.send("Emulation.setEmulatedMedia",
			{ features: [{ name: "prefers-color-scheme", value }] });

		await set("dark");
		await page.frame();
		const dark = await back();

		expect(dark !== light, `dark is ${dark}`);
		await page.key("d");
		expect(await back() === light, "d");
		await page.key("d");
		const { data } = await page.send("Page.printToPDF", { printBackground: true });

		expect(Buffer.from(data, "base64").subarray(0, 5).toString() === "%PDF-", "no PDF");
		expect(await back() === dark, "light after printing");
	},

	// Several runs: an arrow from the average of one to that of the next.
	async runs(page, data) {
		const arrow = await page.value(`(() => {
			const line = document.querySelector("#roofline line.arrow");
			return ["x1", "y1", "x2", "y2"].map(name => Number(line.getAttribute(name)));
		})()`);
		const scales = await page.value(`(() => {
			const { x, y } = ${view("roofline")};
			return kermon.page.data.averages.map(a => [x(a.intensity), y(a.flops_per_s)]);
		})()`);

		arrow.forEach((value, i) => near(value, scales.flat()[i], 1e-6, "arrow"));
		await expectSums(page, data, expected.rowsOf(data.samples), "all runs");
		const notes = await page.value("document.querySelector('.notes').innerText");

		const others = await page.value("document.querySelector('details').textContent");

		expect(/run 1: 3 samples were lost/.test(others), `others: ${others}`);
		expect(/Bytes are estimates/.test(notes), `notes: ${notes}`);
		const badges = await page.value(`Array.from(document.querySelectorAll(".runs p"))
			.map(run => Array.from(run.querySelectorAll(".badge")).map(badge => badge.textContent))`);

		expect(String(badges[0]) === "simulated CPU", `run 1: ${badges[0]}`);
		expect(String(badges[1]) === "ceilings of another machine", `run 2: ${badges[1]}`);
	},

	// A page of the tool has what the JSON of the tool has.
	async recording(page, data) {
		const { samples } = data, all = await dots(page, data);

		const arrows = await page.value("document.querySelectorAll('#roofline line.arrow').length");

		expect(arrows === 0, `${arrows} arrows between recordings of different monitors`);
		expect(all.some(({ at }) => at), "no dots");
		expectPlaces(all);
		await expectSums(page, data, expected.rowsOf(samples), "recording");
		const text = await page.value("document.body.innerText");

		[...data.verdict, ...data.labels].forEach(sentence =>
			expect(text.includes(sentence), `missing: ${sentence}`));
		expect(/^Roofline of /.test(await page.value("document.title")), "title");
		expect(await page.value("kermon.page.colours") === data.dots, "colours");
		const stays = await page.value("kermon.page.stays.length");

		expect(stays === (data.intervals.length || samples.begin.length), `${stays} stays`);
	},

	// Energy of all is that of the text; that of a part follows from its stays on CPUs.
	async energy(page, data) {
		const shown = await sumsShown(page), [average] = data.averages;

		near(shown["package energy"], average.joules.package, 1e-9, "joules");
		near(shown["package energy per operation"], average.joules_per_flop, 1e-9, "joules per FLOP");
		near(shown["wall time"], average.seconds, 1e-9, "wall time");
		near(shown.performance, average.flops_per_s, 1e-9, "performance");
		await expectSums(page, data, expected.rowsOf(data.samples), "all");
		const at = await box(page, "#timeline svg"), end = data.runs[0].duration_s;
		const x = scale(await ticks(page, "#timeline .layers > svg > g > .axis.x", "x"));

		await page.drag([x(end * 0.27), at.y + 60], [x(end * 0.66), at.y + 60]);
		const rows = inRange(data, await range(page));

		expect(rows.length > 5 && rows.length < data.samples.begin.length / 2, `${rows.length} rows`);
		await expectSums(page, data, rows, "range");
		await clickOn(page, "#threads tr[data-thread='1'] input");
		await expectSums(page, data, rows.filter(i => data.samples.thread[i] !== 1), "without a thread");
	},

	// Two threads at a time: their average is compared with ceilings of two, at the mark too.
	async parallel(page, data) {
		const [average] = data.averages, wanted = /at 50.% of double FMA avx, 2 threads/;
		const at = await page.value(`(() => {
			const mark = document.querySelector("#roofline .mark.average");
			const { x, y, width, height } = mark.querySelector("path").getBoundingClientRect();
			return [x + width / 2, y + height / 2, mark.textContent];
		})()`);

		expect(at[2] === "application (2 threads)", `mark: ${at[2]}`);
		await page.mouse("mouseMoved", at[0], at[1]);
		const hover = await page.value("document.querySelector('#hover').innerText");

		expect(wanted.test(hover), `hover: ${hover}`);
		expect(/package energy\s+5.J/.test(hover) && /threads at a time\s+2/.test(hover), `hover: ${hover}`);
		const verdict = await page.value("document.querySelector('#sums .verdict').textContent");

		expect(wanted.test(verdict), `verdict: ${verdict}`);
		near((await sumsShown(page))["threads at a time"], average.parallel, 1e-9, "parallel");
		const threads = await page.value("document.querySelector('#threads').innerText");

		expect(/at 50.% of double FMA avx, 1 thread/.test(threads), `threads: ${threads}`);
		const dashed = await page.value(`Array.from(document.querySelectorAll("#roofline .ceiling"))
			.map(ceiling => [Number(ceiling.dataset.ceiling), ceiling.matches(".several")])`);

		dashed.forEach(([index, several]) => expect(several === data.ceilings[index].threads > 1,
			`${data.ceilings[index].label} is dashed: ${several}`));
	},

	// KerMon beside SpyMon: dots and an average of each, in its colour.
	async beside(page, data) {
		const names = await page.value(`Array.from(document.querySelectorAll("#roofline .mark.average"),
			mark => mark.textContent)`);

		expect(String(names) === "phases,spy", `averages: ${names}`);
		const runs = await page.value("document.querySelector('.runs').innerText");

		expect(/phases.*KerMon[^]*spy.*SpyMon/.test(runs), `runs: ${runs}`);
		const drawn = await dots(page, data), { samples } = data;

		data.runs.forEach((run, number) => expect(drawn.some(({ at }, i) =>
			at && samples.run[i] === number), `no dots of ${run.label}`));
	},

	// A row and a colour for each function; sums are those of the selection.
	async functions(page, data) {
		const { samples } = data, names = data.functions.map(({ name }) => name);
		const rows = () => page.value(`Array.from(document.querySelectorAll("#functions tbody tr"))
			.map(row => [Number(row.dataset.function),
				     ...Array.from(row.cells, cell => cell.textContent)])`);
		const counts = new Map((await rows()).map(([index, name, , count]) => {
			expect(name === names[index], `function ${index} is ${name}`);
			return [index, Number(count)];
		}));

		names.forEach((name, index) => expect(counts.get(index) ===
			samples.function.filter(of => of === index).length, `${name}: ${counts.get(index)}`));
		expect(await page.value("kermon.page.colours") === "function", "colours");
		const key = await page.value("document.querySelector('#legend .key').innerText");

		names.forEach(name => expect(key.includes(name), `legend: ${key}`));
		await page.value("document.querySelector('#roofline .body').focus()");
		await page.key("]");
		expect(/ended in\s+stream/.test(await page.value("document.querySelector('#hover').innerText")),
		       "no function of a dot");
		const x = scale(await ticks(page, "#timeline .layers > svg > g > .axis.x", "x"));
		const at = await box(page, "#timeline svg");

		await page.drag([x(0.52), at.y + 60], [x(0.9), at.y + 60]);
		const selected = inRange(data, await range(page));

		(await rows()).forEach(([index, name, , count]) => expect(Number(count) ===
			selected.filter(i => samples.function[i] === index).length, `${name}: ${count} selected`));
	},

	// Of slices of time, functions have the sums of the whole recording.
	async whole(page, data) {
		const rows = await page.value("document.querySelector('#functions').innerText");

		data.functions.forEach(({ name, samples }) => expect(
			new RegExp(`${name.replace(/[[\]]/g, "\\$&")}\\s.*\\s${samples}\\s`).test(rows),
			`functions: ${rows}`));
		expect(/sums of these are of the whole recording/.test(rows), `functions: ${rows}`);
	},

	// Pieces of time of a recording with pauses have several samples: its phases are level.
	async level(page) {
		const rates = await page.value("Array.from(kermon.page.shown.find(s => s.name === 'timeline').view.bins[0].rate)");
		const levels = new Set(rates.filter(rate => rate === rate).map(rate => rate.toPrecision(1)));

		expect(rates.length < 200 && levels.size <= 3, `${rates.length} pieces of ${Array.from(levels)}`);
	},

	// Each recording is compared with the ceilings of its machine.
	async machines(page, data) {
		const text = await page.value("document.querySelector('#legend').innerText");
		const drawn = await page.value(`Array.from(document.querySelectorAll("#roofline .ceiling"))
			.map(one => [Number(one.dataset.ceiling), one.matches(".other"), one.textContent])`);
		const shown = data.ceilings.filter(ceiling => ceiling.shown);

		data.machines.forEach(({ name }, number) =>
			expect(text.includes(`${number + 1}: ceilings of ${name}`), `legend: ${text}`));
		expect(drawn.length === shown.length, `${drawn.length} ceilings`);
		drawn.forEach(([index, other, name]) => {
			const { machine, label } = data.ceilings[index];

			expect(other === machine > 0 && name === `${machine + 1}: ${label}`, `ceiling: ${name}`);
		});
		const bound = await page.value("Array.from(kermon.page.bound)");

		bound.forEach((index, i) => expect(data.ceilings[index].machine ===
			data.runs[data.samples.run[i]].machine, `sample ${i}: ceiling ${index}`));
		const rows = await page.value("document.querySelector('#threads').innerText");

		expect(/at 25.% of double FMA avx/.test(rows) && /at 50.1.% of double FMA avx/.test(rows),
		       `threads: ${rows}`);
		expect(await page.value("document.querySelector('#sums .verdict').textContent") === "",
		       "a verdict on samples of two machines");
		expect(await page.value("document.querySelectorAll('#roofline .region').length") === 0,
		       "regions of two machines");
		await clickOn(page, "#threads tr[data-thread='0'] input");
		expect(/at 50.1.% of double FMA avx/.test(
			await page.value("document.querySelector('#sums .verdict').textContent")), "no verdict");
	},

	// What is said about places under ceilings of one thread and of four.
	async words(page, data) {
		const say = (...place) => page.value(`kermon.page.ceilings.verdict(${place})`);
		const said = async (place, wanted) => {
			const text = await say(...place);

			expect(wanted.test(text), `${place}: ${text}`);
		};

		await said([10, 14e9, 2, 0], /^Compute-bound, mostly avx: at 50.% of DP FMA peak AVX, 1 thread$/);
		await said([0.1, 1e9, NaN, 0], /^Memory-bound: at 76.9.% of DRAM 2:1, 1 thread$/);
		await said([0.1, 1.7e9, NaN, 0], /^Memory-bound: at 54.8.% of L3 2:1, 1 thread$/);
		await said([10, 2.8e9, NaN, 0], /^Compute-bound: at 10.% of .*\. That far below, latency or dep/);
		await said([NaN, 1e9, NaN, 0], /^$/);
		await said([10, NaN, NaN, 0], /^$/);
		await said([10, 56e9, 2, 0, 4], /^Compute-bound, mostly avx: at 50.% of DP peak AVX, 4 threads$/);
		await said([10, 56e9, 2, 0, 3], /As many as 3 ran at the same time, but these ceilings are of 4/);
		await said([10, 14e9, 2, 0, 1], /^Compute-bound, .* of DP FMA peak AVX, 1 thread$/);
		await clickOn(page, "#legend input[data-ceiling='2']");
		await said([10, 14e9, 2, 0, 3], /^mostly avx: at 50.% of .* 1 thread\. As many as 3 ran .* of 1: what/);
	},

	// Names are text, whatever is in them.
	async hostile(page, data) {
		const title = await page.value("document.title");

		expect(title === process.env.TITLE, `title: ${title}`);
		expect(await page.value("document.scripts.length") === 3, "another script");
		const names = await page.value("kermon.page.data.threads.map(thread => thread.comm)");

		expect(String(names) === String(data.threads.map(thread => thread.comm)), `names: ${names}`);
		const shown = await page.value("document.querySelector('#threads').innerText");

		expect(shown.includes(data.threads[0].comm), `threads: ${shown}`);
		expect(shown.includes("(no name)") || data.threads.length < 5, `threads: ${shown}`);
	},

	// Without samples, ceilings alone.
	async ceilings(page, data) {
		const text = await page.value("document.body.innerText");

		expect(/no samples to draw/.test(text), "not said");
		expect(await page.value("document.querySelectorAll('#roofline .ceiling').length") ===
		       data.ceilings.filter(c => c.shown).length, "no ceilings");
	},
};

async function run([names, file, dataFile]) {
	const browser = new Browser();

	try {
		for (const name of names.split(",")) {
			const data = JSON.parse(fs.readFileSync(dataFile, "utf8"));
			const page = await browser.open(file);

			await checks[name](page, data).catch(error => {
				throw new Error(`${name}: ${error.message}`);
			});
			expect(!page.errors.length, `${name}: errors: ${page.errors.join("; ")}`);
			const others = page.requests.filter(url => !/^(file|data):/.test(url));

			expect(!others.length, `${name}: network: ${others}`);
			await page.close();
		}
	} finally {
		browser.end();
	}
}

run(process.argv.slice(2)).then(() => process.exit(0), error => {
	console.log(error.message);
	process.exit(1);
});
