// The configuration of Playwright's test runner. Specs run as they were published; only what the browser may reach is decided here.
"use strict";
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const playwright = require("@playwright/test");

const told = JSON.parse(process.env.ASSAY_SPECS);
const { chromium, devices } = playwright;
const pages = pathToFileURL(told.pages + path.sep).href;

// Workers load this file too, and get their browser from this very object. Each context then asks Assay for whatever is no page of
// the set: libraries come from its CDN cache, everything else is refused and told.
if (!chromium.launch.assay) {
  const launch = chromium.launch;
  chromium.launch = async function (...options) {
    const browser = await launch.apply(this, options);
    const newContext = browser.newContext;
    browser.newContext = async function (...given) {
      const context = await newContext.apply(this, given);
      await context.route(() => true, answer);
      return context;
    };
    return browser;
  };
  chromium.launch.assay = true;
}

async function answer(route) {
  const request = route.request();
  const url = request.url();
  if (/^(data|blob|about):/.test(url)) return route.continue();
  if (url.startsWith("file:")) return url.startsWith(pages) ? route.continue() : route.abort("accessdenied");
  const asked = `${told.answerer}?${new URLSearchParams({ url, method: request.method() })}`;
  try {
    const reply = await fetch(asked, { headers: { authorization: told.token } });
    if (reply.status !== 200) return await route.abort("internetdisconnected");
    const { status, headers } = JSON.parse(decodeURIComponent(reply.headers.get("x-assay-answer")));
    return await route.fulfill({ status, headers, body: Buffer.from(await reply.arrayBuffer()) });
  } catch {
    // The page may be gone before its answer is there.
    return route.abort("internetdisconnected").catch(() => undefined);
  }
}

module.exports = playwright.defineConfig({
  testDir: told.specs,
  outputDir: told.output,
  timeout: told.testMs,
  expect: { timeout: told.expectMs },
  fullyParallel: true,
  forbidOnly: false,
  retries: 0,
  workers: told.workers,
  reporter: [["json", { outputFile: told.report }]],
  projects: [
    {
      name: "chromium",
      use: {
        ...devices["Desktop Chrome"],
        trace: "off",
        launchOptions: { executablePath: told.chromium, chromiumSandbox: told.sandbox, args: told.flags },
      },
    },
  ],
});
