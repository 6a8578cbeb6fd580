// Reads the search stream with what Node brings along, in each content coding that this version can decode.

import { readFileSync } from "node:fs";
import { request } from "node:http";
import * as zlib from "node:zlib";

const demo = JSON.parse(readFileSync(process.env.WAYFARE_DEMO, "utf8"));
const { username, password } = demo.users.find(user => user.role === "agent");
const headers = { "Content-Type": "application/json" };

async function post(path, body) {
    const answer = await fetch(`${demo.base_url}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
}

const { data } = await (await post("/auth/login", { agent_id: demo.agent_id, username, password })).json();
headers.Authorization = `Bearer ${data.tokens.access_token}`;
const search = {
    search_params: { trip_type: "ONE_WAY", cabin_class: "ECONOMY", passengers: { adults: 1 } },
    slices: [{ origin: "DEL", destination: "BOM", departure_date: new Date(Date.now() + 44 * 86_400_000).toISOString().slice(0, 10) }],
};

function check(how, wanted, sent, text) {
    const names = [...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name);
    if (sent !== wanted || names.at(-1) !== "done" || !text.endsWith("\n\n")) {
        throw new Error(`${how}: it came in ${sent} in the place of ${wanted}, with the events ${names}`);
    }
    console.log(`Node ${process.version}, ${how}, ${wanted ?? "identity"}: ${names.length} events`);
}

for (const coding of [undefined, "br"]) {
    if (coding !== undefined) headers["Accept-Encoding"] = coding;
    const answer = await post("/flights/search/stream", search);
    check("fetch", coding ?? null, answer.headers.get("content-encoding"), await answer.text());
}

if (zlib.createZstdDecompress !== undefined) {
    const text = await new Promise((resolve, reject) => {
        const url = `${demo.base_url}/api/v1/flights/search/stream`;
        const asked = request(url, { method: "POST", headers: { ...headers, "Accept-Encoding": "zstd" } }, async answer => {
            try {
                const chunks = await answer.pipe(zlib.createZstdDecompress()).toArray();
                resolve([answer.headers["content-encoding"], Buffer.concat(chunks).toString()]);
            } catch (error) {
                reject(error);
            }
        });
        asked.on("error", reject).end(JSON.stringify(search));
    });
    check("http and zlib", "zstd", ...text);
}
