import jQuery from "jquery";
import "jstree";
import "jstree/dist/themes/default/style.css";
import { app, compute, page } from "./state.js";

jQuery(app).jstree({
  core: { check_callback: true, animation: 0, themes: { icons: false }, data: [
    { id: "docs", text: "Documents", children: [
      { id: "work", text: "Work", children: [{ id: "resume", text: "Resume" }, { id: "plan", text: "Plan" }] },
      { id: "home", text: "Home" }] },
    { id: "pics", text: "Pictures" }] },
  plugins: ["dnd", "contextmenu", ...(page === "check" ? ["checkbox"] : [])],
});
const tree = () => jQuery(app).jstree(true);
compute(() => ({ chosen: tree().get_selected(), resume: tree().get_text("resume"), parent: tree().get_parent("home"),
  count: tree().get_json("#", { flat: true }).length }));
