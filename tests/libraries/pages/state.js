/** The state of a page's model, which the check of a task reads. */
export const state = (window.state = {});

/** Compute the state whenever it is read. */
export const compute = (get) => Object.defineProperty(window, "state", { get, configurable: true });

/** The name of the page that the URL asks for. */
export const page = new URLSearchParams(location.search).get("page");

export const app = document.getElementById("app");
