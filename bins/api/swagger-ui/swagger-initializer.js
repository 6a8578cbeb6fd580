// Shows the document with Swagger UI: operations in the order of work, closed, found by any of their words.
window.onload = async () => {
    const answer = await fetch("/openapi.json");
    const spec = await answer.json();
    // It is this server that is tried out, wherever it runs.
    spec.servers = [{ url: window.location.origin, description: "This server" }];

    // Of each section what has the words in its name, or its operations that have them.
    const opsFilter = (sections, words) => {
        const wanted = words.trim().toLowerCase();
        const isMeant = one => [
            one.get("method"),
            one.get("path"),
            one.getIn(["operation", "operationId"]),
            one.getIn(["operation", "summary"]),
        ].join(" ").toLowerCase().includes(wanted);
        const narrowed = sections.map((section, name) => {
            const isWhole = name.toLowerCase().includes(wanted);
            return isWhole ? section : section.update("operations", each => each.filter(isMeant));
        });
        return narrowed.filter(section => section.get("operations").size > 0);
    };
    const plugin = system => ({
        fn: { opsFilter },
        // What is found lies open.
        statePlugins: {
            layout: {
                wrapSelectors: {
                    isShown: original => (state, thing, ...rest) => {
                        const words = system.layoutSelectors.currentFilter();
                        const isSection = Array.isArray(thing) && thing[0] === "operations-tag";
                        const isFound = typeof words === "string" && words.trim() !== "" && words !== "true";
                        return (isSection && isFound) || original(thing, ...rest);
                    },
                },
            },
        },
        // Every answer has the same few headers: the introduction has them once.
        wrapComponents: { headers: () => () => null },
    });

    window.ui = SwaggerUIBundle({
        spec,
        dom_id: "#swagger-ui",
        deepLinking: true,
        docExpansion: "none",
        filter: true,
        defaultModelsExpandDepth: -1,
        displayRequestDuration: true,
        presets: [SwaggerUIBundle.presets.apis],
        plugins: [plugin],
        layout: "BaseLayout",
    });
};
