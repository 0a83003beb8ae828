import { createRoot } from "react-dom/client";
import { ToastContainer, toast } from "react-toastify";
import tippy from "tippy.js";
import "tippy.js/dist/tippy.css";
import { driver } from "driver.js";
import "driver.js/dist/driver.css";
import { app, compute, page, state } from "./state.js";

state.done = [];
const mark = (name) => () => state.done.push(name);
if (page === "tippy") {
  app.innerHTML = `<button id="hint" style="margin:80px">Price</button><button id="menu">More</button>
    <div id="content"><button>Duplicate</button><button>Remove</button></div>`;
  const content = app.querySelector("#content");
  content.addEventListener("click", ({ target }) => { state.done.push(target.textContent); menu.hide(); });
  const hint = tippy("#hint", { content: "Without VAT" })[0];
  const menu = tippy("#menu", { content, trigger: "click", interactive: true, placement: "bottom" })[0];
  const done = state.done;
  compute(() => ({ done, hint: hint.state.isVisible, menu: menu.state.isVisible }));
} else if (page === "driver") {
  app.innerHTML = `<button id="start">Take the tour</button><p id="a" style="margin:60px">Search here</p><p id="b">Settings are there</p>`;
  const tour = driver({ showProgress: true, onDestroyed: mark("ended"), steps: [
    { element: "#a", popover: { title: "Search", description: "Finds everything." } }, { element: "#b", popover: { title: "Settings", description: "Change it all." } }] });
  app.querySelector("#start").addEventListener("click", () => tour.drive());
  const done = state.done;
  compute(() => ({ done, active: tour.isActive(), step: tour.getActiveIndex() }));
} else {
  const undo = () => toast(({ closeToast }) => <div>Mail sent <button onClick={() => { state.done.push("undone"); closeToast(); }}>Undo</button></div>, { onClose: mark("closed") });
  createRoot(app).render(<><button onClick={undo}>Send</button><button onClick={() => toast.success("All saved", { onClose: mark("closed"), autoClose: false })}>Save</button><ToastContainer /></>);
}
