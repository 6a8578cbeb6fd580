// Logs in, searches, prices, books and cancels a flight, with openapi-fetch and the types of openapi-typescript.

import { readFileSync } from "node:fs";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Demo = { base_url: string; agent_id: string; users: { role: string; username: string; password: string }[] };
type Search = components["schemas"]["SearchFlightsRequest"];

const file = process.env["WAYFARE_DEMO"];
if (file === undefined) throw new Error("WAYFARE_DEMO names no demo.json");
const demo: Demo = JSON.parse(readFileSync(file, "utf8"));
const agent = demo.users.find(user => user.role === "agent");
if (agent === undefined) throw new Error("the demo has no agent");
const client = createClient<paths>({ baseUrl: demo.base_url });

// What was answered, or an end.
function answered<T>(what: string, reply: { data?: T; error?: unknown; response: Response }): T {
    if (reply.data === undefined) {
        throw new Error(`${what}: ${reply.response.status} ${JSON.stringify(reply.error)}`);
    }
    return reply.data;
}

const logIn = await client.POST("/api/v1/auth/login", {
    body: { agent_id: demo.agent_id, username: agent.username, password: agent.password },
});
const token = answered("log-in", logIn).data.tokens.access_token;
client.use({
    onRequest({ request }) {
        request.headers.set("Authorization", `Bearer ${token}`);
        return request;
    },
});

const day = new Date(Date.now() + 45 * 86_400_000).toISOString().slice(0, 10);
const search: Search = {
    search_params: { trip_type: "ONE_WAY", cabin_class: "ECONOMY", passengers: { adults: 1 } },
    slices: [{ origin: "DEL", destination: "BOM", departure_date: day }],
};
const found = answered("search", await client.POST("/api/v1/flights/search", { body: search })).data;
const offer = found.offers.find(one => one.type !== "combinable");
if (offer === undefined) throw new Error("nothing is sold");

const price = await client.POST("/api/v1/flights/price", { body: { offer_ids: [offer.offer_id] } });
const priced = answered("price", price).data;

const book = await client.POST("/api/v1/flights/book", {
    body: {
        booking_keys: priced.booking_keys,
        contact_email: "ravi@example.com",
        contact_phone: "+919812345678",
        allow_duplicate: true,
        passengers: [
            {
                pax_index: 1,
                type: "ADT",
                title: "Mr",
                first_name: "Ravi",
                last_name: "Sharma",
                gender: "M",
                dob: "1990-05-17",
            },
        ],
    },
});
const booked = answered("book", book).data;

// A supplier that is slow is still at it.
const path = { ref: booked.booking_ref };
for (let turn = 0; ; turn += 1) {
    const read = await client.GET("/api/v1/flights/bookings/{ref}", { params: { path } });
    const { status } = answered("booking", read).data;
    if (status === "confirmed") break;
    if (status !== "pending" || turn === 60) throw new Error(`the booking is ${status}`);
    await new Promise(resolve => setTimeout(resolve, 1_000));
}

const cancel = answered("cancel", await client.POST("/api/v1/flights/bookings/{ref}/cancel", { params: { path } }));
console.log(`TypeScript: ${booked.booking_ref} ${priced.price_summary.total_payable}: ${cancel.message}`);
