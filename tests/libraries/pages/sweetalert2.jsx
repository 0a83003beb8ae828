import Swal from "sweetalert2";
import { app, page, state } from "./state.js";

const OPTIONS = {
  input: { title: "Your name", input: "text", inputLabel: "First name", showCancelButton: true, inputValidator: (value) => (value.length < 2 ? "Too short" : undefined) },
  select: { title: "A fruit", input: "select", inputLabel: "Fruit", inputOptions: { a: "Apples", b: "Bananas", g: "Grapes" }, inputPlaceholder: "Select a fruit", showCancelButton: true },
};
app.innerHTML = "<button>Go on</button>";
app.firstChild.addEventListener("click", async () => {
  const { isConfirmed, value, dismiss } = await Swal.fire(OPTIONS[page]);
  Object.assign(state, { isConfirmed, value, dismiss, open: Swal.isVisible() });
});
