// SPDX-License-Identifier: GPL-2.0
// usage: node open.js PAGE
// Print how many ms it takes headless Chromium from opening the page until all is drawn.
"use strict";

const { Browser } = require("./browser.js");

async function run(file) {
	const browser = new Browser();

	try {
		(await browser.open("/dev/null")).close();	// started
		const page = await browser.open(file);

		if (page.errors.length || !await page.value("kermon.page.table.length"))
			throw new Error(`not drawn: ${page.errors}`);
		console.log(await page.value("Math.round(performance.now())"));
	} finally {
		browser.end();
	}
}

run(process.argv[2]).then(() => process.exit(0), error => {
	console.error(error.message);
	process.exit(1);
});
