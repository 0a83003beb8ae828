import * as bootstrap from "bootstrap";
import "bootstrap/dist/css/bootstrap.css";
import { app, compute } from "./state.js";

const item = (name) => `<div class="accordion-item"><h2 class="accordion-header"><button class="accordion-button collapsed" type="button"
  data-bs-toggle="collapse" data-bs-target="#${name}">${name}</button></h2>
  <div id="${name}" class="accordion-collapse collapse" data-bs-parent="#questions"><div class="accordion-body">All about ${name}.</div></div></div>`;
app.innerHTML = `<div class="container p-3">
  <div class="dropdown"><button class="btn btn-secondary dropdown-toggle" data-bs-toggle="dropdown">Actions</button>
    <ul class="dropdown-menu"><li><button class="dropdown-item">Copy</button></li><li><button class="dropdown-item">Archive</button></li></ul></div>
  <button class="btn btn-primary" data-bs-toggle="modal" data-bs-target="#modal">Rename</button>
  <div class="modal fade" id="modal" tabindex="-1"><div class="modal-dialog"><div class="modal-content">
    <div class="modal-header"><h5 class="modal-title">Rename the file</h5><button class="btn-close" data-bs-dismiss="modal" aria-label="Close"></button></div>
    <div class="modal-body"><label>New name <input class="form-control"></label></div>
    <div class="modal-footer"><button class="btn btn-primary" data-bs-dismiss="modal" id="save">Save</button></div></div></div></div>
  <button class="btn btn-light" data-bs-toggle="offcanvas" data-bs-target="#filters">Filters</button>
  <div class="offcanvas offcanvas-start" tabindex="-1" id="filters"><div class="offcanvas-header"><h5>Filters</h5>
    <button class="btn-close" data-bs-dismiss="offcanvas" aria-label="Close"></button></div>
    <div class="offcanvas-body"><div class="form-check form-switch"><input class="form-check-input" type="checkbox" role="switch" id="stock">
      <label class="form-check-label" for="stock">In stock</label></div>
      <input type="range" class="form-range" id="price" max="500" aria-label="Price"></div></div>
  <div class="btn-group">${["Day", "Week", "Month"].map((name) => `<input type="radio" class="btn-check" name="span" id="${name}">
    <label class="btn btn-outline-primary" for="${name}">${name}</label>`).join("")}</div>
  <div class="form-floating my-3"><input class="form-control" id="mail" placeholder="name@example.com"><label for="mail">Email address</label></div>
  <div class="accordion" id="questions">${["Shipping", "Payment", "Returns"].map(item).join("")}</div>
  <div class="toast" id="toast" data-bs-autohide="false"><div class="toast-header"><strong class="me-auto">Renamed</strong>
    <button class="btn-close" data-bs-dismiss="toast" aria-label="Close"></button></div></div></div>`;
const done = [];
app.addEventListener("click", ({ target }) => target.matches(".dropdown-item") && done.push(target.textContent));
const toast = bootstrap.Toast.getOrCreateInstance("#toast");
document.getElementById("save").addEventListener("click", () => toast.show());
document.getElementById("toast").addEventListener("hidden.bs.toast", () => done.push("toast closed"));
const open = (id) => document.getElementById(id).classList.contains("show");
compute(() => ({ done, modal: open("modal"), filters: open("filters"), name: app.querySelector("#modal input").value,
  open: ["Shipping", "Payment", "Returns"].filter(open), stock: document.getElementById("stock").checked, mail: document.getElementById("mail").value,
  price: document.getElementById("price").value, span: app.querySelector("[name=span]:checked")?.id }));
