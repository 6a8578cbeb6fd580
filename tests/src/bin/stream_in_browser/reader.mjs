// Reads the stream with what a browser, or Node, brings along, and reports what came of it.

const base = globalThis.location?.origin ?? process.argv[2];

/** The events as `EventSource` gives them out. */
function withEventSource() {
  return new Promise((resolve, reject) => {
    const events = [];
    const source = new EventSource(`${base}/stream`);
    const keep = ({ type, data }) => {
      events.push({ type, data, at: performance.now() });
      if (type === "done") {
        source.close();
        resolve(events);
      }
    };
    for (const type of ["results", "done", "message"]) {
      source.addEventListener(type, keep);
    }
    source.addEventListener("error", () => {
      source.close();
      reject(new Error(`cut off after ${events.length} events`));
    });
  });
}

/** The events out of the text as it comes, which is what a client without `EventSource` does: it can POST. */
async function withFetch() {
  // A browser asks for what it takes; Node's `fetch` asks only where it is told to.
  const answer = await fetch(`${base}/stream`, globalThis.process && { headers: { "Accept-Encoding": "br" } });
  const coding = answer.headers.get("content-encoding");
  if (coding !== "br" && coding !== "zstd") throw new Error(`it came in ${coding}`);
  const texts = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  const events = [];
  let comments = 0;
  let rest = "";
  for (;;) {
    const { value, done } = await texts.read();
    if (done) break;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      if (block.startsWith(":")) {
        comments += 1;
        continue;
      }
      const [, type, data] = block.match(/^event: (.*)\ndata: (.*)$/);
      events.push({ type, data, at: performance.now() });
    }
  }
  if (rest !== "") throw new Error(`cut off within an event: ${rest.slice(0, 80)}`);
  if (comments === 0) throw new Error("no comment came while a supplier was waited for");
  events.coding = coding;
  return events;
}

/** What is said of these events, or why they are not as the docs promise. */
function told(events) {
  const types = events.map(({ type }) => type).join(", ");
  if (types !== "results, results, done") throw new Error(`the events are ${types}`);
  const answers = events.map(({ data }) => JSON.parse(data));
  if (!answers.every(({ success }) => success)) throw new Error("not every event says success");
  const [first, second, last] = answers.map(({ data }) => data.offers.length);
  if (!(0 < first && first < second && second === last)) {
    throw new Error(`no growing snapshots: ${first}, ${second}, ${last} offers`);
  }
  const between = Math.round(events[1].at - events[0].at);
  if (between < 2000) throw new Error(`the first event waited for the second: ${between} ms between them`);
  const coded = events.coding ? ` in ${events.coding}` : "";
  return `${types}${coded}; ${first}, ${second}, ${last} offers; ${between} ms between the suppliers`;
}

const report = { reader: globalThis.process ? `Node ${process.version}` : navigator.userAgent, lines: [], problems: [] };
for (const [name, read] of [["EventSource", withEventSource], ["fetch and TextDecoderStream", withFetch]]) {
  try {
    report.lines.push(`${name}: ${told(await read())}`);
  } catch (error) {
    report.problems.push(`${name}: ${error}`);
  }
}
if (globalThis.document) {
  document.getElementById("report").textContent = JSON.stringify(report, null, 2);
}
await fetch(`${base}/report`, { method: "POST", body: JSON.stringify(report) });
