// Reads one stream with fetch-event-source, as a page would, and writes each message as a line of JSON.
// The address is the argument, the request's body what comes in.
"use strict";

// The package is made for browsers: it looks at these two, and at no more of them than this.
globalThis.window = globalThis;
globalThis.document = { hidden: false, addEventListener() {}, removeEventListener() {} };

const { readFileSync } = require("node:fs");
const { fetchEventSource } = require("@microsoft/fetch-event-source");

const RETRY_MS = 50;
const ATTEMPTS = 5;
let failures = 0;

fetchEventSource(process.argv[2], {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: readFileSync(0, "utf8"),
  onmessage({ id, data }) {
    process.stdout.write(JSON.stringify({ id, data }) + "\n");
  },
  onerror(error) {
    failures += 1;
    if (failures >= ATTEMPTS) throw error; // what is thrown here ends it; else it tries again
    return RETRY_MS;
  },
}).catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
