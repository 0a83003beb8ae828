import IMask from "imask";
import { app, compute } from "./state.js";

app.innerHTML = `<p><label>Phone <input id="phone"></label></p><p><label>Amount <input id="amount"></label></p>
  <p><label>Expiry date <input id="expiry"></label></p>`;
const phone = IMask(document.getElementById("phone"), { mask: "+{49} (000) 000-0000" });
const amount = IMask(document.getElementById("amount"), { mask: Number, scale: 2, thousandsSeparator: " ", radix: ",", mapToRadix: ["."] });
const expiry = IMask(document.getElementById("expiry"), { mask: "MM/YY", lazy: false,
  blocks: { MM: { mask: IMask.MaskedRange, from: 1, to: 12 }, YY: { mask: IMask.MaskedRange, from: 0, to: 99 } } });
compute(() => ({ phone: phone.unmaskedValue, amount: amount.typedValue, expiry: expiry.value }));
