// SPDX-License-Identifier: GPL-2.0
// The samples of the roofline as dots on a canvas: colours, sizes, and which one is where.
(function () {
"use strict";

const MANY = 20000;	// from here on, dots are squares

function colourOf(model) {
	const { table, theme, data } = model;
	const span = table.end - table.start || 1;
	const bound = data.ceilings.map(theme.bound), none = theme.css("--faint");

	switch (model.colours) {
	case "bound":
		return i => bound[model.bound[i]] || none;
	case "simd":
		return i => theme.category(table.simd[i] >= 0 ? table.simd[i] : theme.categories.length - 1);
	case "thread":
		return i => theme.category(table.thread[i]);
	case "function":
		return i => table.function[i] >= 0 ? theme.category(table.function[i]) : none;
	case "run":
		return i => theme.category(table.run[i]);
	default:
		return i => theme.ramp[Math.min(theme.steps - 1,
			Math.floor((table.middle[i] - table.start) / span * theme.steps))] ||
			theme.ramp[0];
	}
}

function text(model, i) {
	const { table, data } = model, { si, exact, plain } = kermon.text;
	const bytes = table.bytes_low[i] === table.bytes_high[i] ? si(table.bytes[i], "B") :
		`${si(table.bytes[i], "B")} (${si(table.bytes_low[i], "B")} to ` +
		`${si(table.bytes_high[i], "B")})`;
	const rows = [
		["performance", si(table.rate[i], "FLOP/s")],
		["intensity", `${plain(table.intensity[i], 4)} FLOP/byte`],
		["bound", model.ceilings.verdict(table.intensity[i], table.rate[i],
						 table.simd[i], model.machineOf(table.run[i]))],
		...(table.function[i] >= 0 ? [["ended in", model.functionName(table.function[i])]] : []),
		["from", exact(table.begin[i], "s")],
		["duration", exact(table.seconds[i], "s")],
		["on the CPU", exact(table.oncpu[i], "s")],
		["CPU", exact(table.cpu[i])],
		["sampled because", data.whys[table.why[i]] || "–"],
		["operations", exact(table.flop[i], "FLOP")],
		["bytes", bytes],
		["SIMD", data.simd[table.simd[i]] || "–"],
		["instructions", exact(table.instructions[i])],
		["cycles", exact(table.cycles[i])],
	];

	data.domains.forEach((domain, d) => rows.push([domain, exact(table.joules[d][i], "J")]));
	if (table.estimated[i] > 0)
		rows.push(["estimated", table.error[i] >= 0 ?
			`error ${kermon.text.percent(table.error[i])}` : "error unknown"]);
	return rows;
}

kermon.dots = function (model, view) {
	const { table, selection } = model;
	const x = new Float32Array(table.length), y = new Float32Array(table.length);
	const typical = d3.median(table.time) || 1, size = table.length < 2000 ? 4 : 2.5;
	let current = -1;

	function place() {
		for (let i = 0; i < table.length; i++) {
			const drawn = table.intensity[i] > 0 && table.rate[i] > 0 &&
				table.intensity[i] < Infinity;

			x[i] = drawn ? view.x(table.intensity[i]) : NaN;
			y[i] = drawn ? view.y(table.rate[i]) : NaN;
		}
	}

	// The area is in proportion to the duration, within limits.
	function radius(i) {
		return Math.max(1, Math.min(8, size * Math.sqrt(table.time[i] / typical)));
	}

	// Few dots are circles.
	function circle(context, i) {
		context.beginPath();
		context.arc(x[i], y[i], radius(i), 0, 2 * Math.PI);
		context.fill();
	}

	// Many are squares in an image of their own, which is some times faster.
	function square(image, i, value) {
		const r = radius(i) * image.ratio / 2;
		const left = Math.max(0, Math.round(x[i] * image.ratio - r));
		const right = Math.min(image.width, Math.round(x[i] * image.ratio + r));
		const top = Math.max(0, Math.round(y[i] * image.ratio - r));
		const bottom = Math.min(image.height, Math.round(y[i] * image.ratio + r));

		for (let row = top; row < bottom; row++)
			image.pixels.fill(value, row * image.width + left, row * image.width + right);
	}

	function drawCircles(context, colour, faint) {
		let last;

		context.globalAlpha = 0.35;
		context.fillStyle = faint;
		for (let i = 0; i < table.length; i++)
			if (selection.visible[i] && !selection.mask[i] && x[i] === x[i])
				circle(context, i);
		context.globalAlpha = 0.8;
		for (let i = 0; i < table.length; i++) {
			if (!selection.mask[i] || x[i] !== x[i])
				continue;
			const wanted = colour(i);

			if (wanted !== last)
				context.fillStyle = last = wanted;
			circle(context, i);
		}
	}

	function drawSquares(context, colour, faint, width, height) {
		const ratio = window.devicePixelRatio || 1, canvas = document.createElement("canvas");
		const values = new Map();

		canvas.width = Math.ceil(width * ratio);
		canvas.height = Math.ceil(height * ratio);
		const own = canvas.getContext("2d");
		const data = own.createImageData(canvas.width, canvas.height);
		const image = { ratio, width: canvas.width, height: canvas.height,
				pixels: new Uint32Array(data.data.buffer) };
		// red is the lowest byte
		const value = (name, opacity) => {
			const { r, g, b } = d3.color(name);

			return (opacity << 24 | b << 16 | g << 8 | r) >>> 0;
		};
		const behind = value(faint, 80);

		for (let i = 0; i < table.length; i++)
			if (selection.visible[i] && !selection.mask[i] && x[i] === x[i])
				square(image, i, behind);
		for (let i = 0; i < table.length; i++) {
			if (!selection.mask[i] || x[i] !== x[i])
				continue;
			const name = colour(i);

			if (!values.has(name))
				values.set(name, value(name, 200));
			square(image, i, values.get(name));
		}
		own.putImageData(data, 0, 0);
		context.drawImage(canvas, 0, 0, canvas.width / ratio, canvas.height / ratio);
	}

	const dots = {
		x,
		y,

		draw(context, margin, width, height) {
			const colour = colourOf(model), faint = model.theme.css("--faint");

			place();
			context.save();
			context.translate(margin.left, margin.top);
			context.beginPath();
			context.rect(0, 0, width, height);
			context.clip();
			// what is not selected stays visible behind the rest
			if (table.length < MANY)
				drawCircles(context, colour, faint);
			else
				drawSquares(context, colour, faint, width, height);
			context.restore();
		},

		// Index of the selected dot that is nearest, -1: none is within reach.
		nearest(px, py, reach) {
			let found = -1, least = reach * reach;

			for (let i = 0; i < table.length; i++) {
				const dx = x[i] - px, dy = y[i] - py, far = dx * dx + dy * dy;

				if (far < least && selection.mask[i])
					[found, least] = [i, far];
			}
			return found;
		},

		step(by) {
			for (let n = 0, i = current; n < table.length; n++) {
				i = (i + by + table.length) % table.length;
				if (!selection.mask[i] || x[i] !== x[i])
					continue;
				return current = i;
			}
			return -1;
		},

		ends(i) {
			const low = table.flop[i] / table.bytes_high[i];
			const high = table.flop[i] / table.bytes_low[i];

			return { x: x[i], y: y[i], x1: low > 0 ? view.x(low) : x[i],
				 x2: high > 0 && high < Infinity ? view.x(high) : x[i] };
		},

		rows: i => text(model, i),

		// Which samples have no place on logarithmic axes.
		note() {
			let without = 0, unknown = 0;

			for (let i = 0; i < table.length; i++) {
				if (!selection.mask[i] || x[i] === x[i])
					continue;
				if (table.flop[i] === table.flop[i] && table.bytes[i] === table.bytes[i])
					without++;
				else
					unknown++;
			}
			return [
				without && `Not drawn, without floating-point operations or memory ` +
					   `accesses: ${without}.`,
				unknown && `Not drawn, operations or bytes not counted: ${unknown}.`,
			].filter(Boolean).join(" ");
		},
	};

	return dots;
};
})();
