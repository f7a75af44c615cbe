// SPDX-License-Identifier: GPL-2.0
// A headless Chromium, driven by its DevTools protocol through a pipe. It uses no network,
// and ends with this program.
"use strict";

const { spawn } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
	       "--no-first-run", "--disable-background-networking", "--disable-component-update",
	       "--disable-sync", "--disable-default-apps", "--disable-extensions",
	       "--hide-scrollbars", "--force-device-scale-factor=1", "--window-size=1300,1000"];
const LIMIT = 60000;	// ms for an answer on a busy machine

class Page {
	constructor(browser, session) {
		this.browser = browser;
		this.session = session;
		this.errors = [];	// of the console and of the script
		this.requests = [];	// addresses that the page asked for
	}

	send(method, params = {}) {
		return this.browser.send(method, params, this.session);
	}

	// A message about this page.
	heard({ method, params }) {
		if (method === "Runtime.exceptionThrown")
			this.errors.push(params.exceptionDetails.exception?.description ||
					 params.exceptionDetails.text);
		else if (method === "Runtime.consoleAPICalled" && params.type !== "log")
			this.errors.push(`console.${params.type}: ` +
				params.args.map(arg => arg.value || arg.description).join(" "));
		else if (method === "Log.entryAdded")
			this.errors.push(`${params.entry.level}: ${params.entry.text}`);
		else if (method === "Network.requestWillBeSent")
			this.requests.push(params.request.url);
		else if (method === "Page.loadEventFired")
			this.loaded?.();
	}

	async open(file) {
		const loaded = new Promise(resolve => this.loaded = resolve);

		for (const domain of ["Page", "Runtime", "Network", "Log"])
			await this.send(`${domain}.enable`);
		await this.send("Page.navigate", { url: `file://${path.resolve(file)}` });
		await loaded;
		while (await this.value("Boolean(window.kermon && !kermon.page && " +
					"!document.querySelector('#head .problem'))"))
			await this.frame();
		await this.frame();
	}

	// The value of an expression in the page.
	async value(expression) {
		const answer = await this.send("Runtime.evaluate",
			{ expression, returnByValue: true, awaitPromise: true });

		if (answer.exceptionDetails)
			throw new Error(`${expression}: ${answer.exceptionDetails.exception.description}`);
		return answer.result.value;
	}

	// Until what changed is drawn.
	frame() {
		return this.value("new Promise(done => requestAnimationFrame(() => " +
				  "requestAnimationFrame(() => done(true))))");
	}

	async key(key, modifiers = 0) {
		const text = key.length === 1 ? key : undefined;

		await this.send("Input.dispatchKeyEvent",
			{ type: text ? "keyDown" : "rawKeyDown", key, code: key, text, modifiers,
			  windowsVirtualKeyCode: { Tab: 9, Escape: 27 }[key] });
		await this.send("Input.dispatchKeyEvent", { type: "keyUp", key, modifiers });
		await this.frame();
	}

	mouse(type, x, y, more = {}) {
		return this.send("Input.dispatchMouseEvent", { type, x, y, ...more });
	}

	async drag(from, to, modifiers = 0) {
		const held = { button: "left", buttons: 1, clickCount: 1, modifiers };

		await this.mouse("mousePressed", ...from, held);
		for (const part of [0.3, 0.7, 1])
			await this.mouse("mouseMoved", from[0] + part * (to[0] - from[0]),
					 from[1] + part * (to[1] - from[1]), held);
		await this.mouse("mouseReleased", ...to, held);
		await this.frame();
	}

	async click(x, y) {
		await this.drag([x, y], [x, y]);
	}

	close() {
		return this.send("Page.close");
	}
}

class Browser {
	constructor() {
		this.folder = fs.mkdtempSync(path.join(os.tmpdir(), "browser-"));
		this.waiting = new Map();
		this.pages = new Map();
		this.number = 0;
		this.rest = "";
		// in a group of its own, so that all of its processes can be ended
		this.child = spawn("chromium", [...FLAGS, `--user-data-dir=${this.folder}`, "about:blank"],
			{ stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"], detached: true });
		this.child.on("error", error => this.fail(error));
		this.child.on("exit", () => this.fail(new Error("chromium has exited")));
		this.child.stdio[3].on("error", error => this.fail(error));
		this.child.stdio[4].setEncoding("utf8").on("data", data => this.read(data));
		process.on("exit", () => this.end());
		["SIGINT", "SIGTERM", "SIGHUP"].forEach(name => process.on(name, () => process.exit(1)));
	}

	fail(error) {
		this.waiting.forEach(waiting => waiting.reject(error));
		this.waiting.clear();
	}

	read(data) {
		const messages = (this.rest + data).split("\0");

		this.rest = messages.pop();
		messages.map(JSON.parse).forEach(message => {
			const waiting = this.waiting.get(message.id);

			if (!message.id) {
				this.pages.get(message.sessionId)?.heard(message);
				return;
			}
			this.waiting.delete(message.id);
			clearTimeout(waiting.timer);
			if (message.error)
				waiting.reject(new Error(`${waiting.method}: ${message.error.message}`));
			else
				waiting.resolve(message.result);
		});
	}

	send(method, params, sessionId) {
		const id = ++this.number;

		return new Promise((resolve, reject) => {
			const timer = setTimeout(() => reject(new Error(`${method}: no answer`)), LIMIT);

			this.waiting.set(id, { resolve, reject, timer, method });
			this.child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
		});
	}

	async open(file) {
		const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
		const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
		const page = new Page(this, sessionId);

		this.pages.set(sessionId, page);
		await page.open(file);
		return page;
	}

	end() {
		if (!this.folder)
			return;
		try {
			process.kill(-this.child.pid, "SIGKILL");
		} catch {
			// it has exited
		}
		fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
		this.folder = null;
	}
}

module.exports = { Browser };
