// Uses the page of the documentation as a person does: logs in, hands the token to Authorize, searches flights.
async (login, search) => {
    const wait = async (what, find) => {
        for (let turn = 0; turn < 600; turn += 1) {
            const found = find();
            if (found) return found;
            await new Promise(resolve => setTimeout(resolve, 50));
        }
        throw new Error(`the page has no ${what}`);
    };
    // React hears of a value only when the element's own setter sets it.
    const type = async (field, text) => {
        const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value");
        own.set.call(field, text);
        field.dispatchEvent(new Event("input", { bubbles: true }));
        field.dispatchEvent(new Event("change", { bubbles: true }));
        await new Promise(resolve => setTimeout(resolve, 200));
    };
    const call = async (operation, body) => {
        // Sections are closed: what is typed into the filter opens those that have it.
        await type(await wait("filter", () => document.querySelector("input.operation-filter-input")), operation);
        const block = await wait(operation, () => document.querySelector(`.opblock[id$="-${operation}"]`));
        block.querySelector(".opblock-summary-control").click();
        (await wait("try-out", () => block.querySelector(".try-out__btn"))).click();
        const text = await wait("body", () => block.querySelector("textarea.body-param__text"));
        await type(text, JSON.stringify(body, null, 2));
        (await wait("execute", () => block.querySelector("button.execute"))).click();
        const answer = () => block.querySelector(".live-responses-table .response-col_description pre");
        const told = (await wait("answer", answer)).textContent;
        const status = block.querySelector(".live-responses-table tbody td.response-col_status").textContent;
        return { block, status: status.trim().slice(0, 3), told };
    };
    const logIn = await call("logIn", login);
    const token = /"access_token":\s*"([^"]+)"/.exec(logIn.told)?.[1];
    if (!token) throw new Error(`no token: ${logIn.status} ${logIn.told}`);
    document.querySelector("button.authorize").click();
    const dialog = await wait("dialog", () => document.querySelector(".dialog-ux .auth-container"));
    await type(dialog.querySelector("input"), token);
    dialog.querySelector("button.authorize[type=submit]").click();
    await wait("log-out", () => [...dialog.querySelectorAll("button")].find(one => one.textContent === "Logout"));
    dialog.querySelector("button.btn-done").click();
    const found = await call("searchFlights", search);
    found.block.querySelector(".live-responses-table").scrollIntoView();
    return { status: found.status, told: found.told.slice(0, 200) };
}
