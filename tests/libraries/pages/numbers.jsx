import { useState } from "react";
import { createRoot } from "react-dom/client";
import AutoNumeric from "autonumeric";
import { NumericFormat, PatternFormat } from "react-number-format";
import PhoneInput from "react-phone-number-input";
import "react-phone-number-input/style.css";
import { app, compute, page, state } from "./state.js";

function Numbers() {
  return <><label>Price <NumericFormat thousandSeparator prefix="$ " decimalScale={2} fixedDecimalScale onValueChange={({ floatValue }) => (state.price = floatValue)} /></label>
    <label>Card <PatternFormat format="#### #### #### ####" mask="_" allowEmptyFormatting onValueChange={({ value }) => (state.card = value)} /></label></>;
}
function Phone() {
  const [value, setValue] = useState();
  state.phone = value;
  return <label>Phone <PhoneInput defaultCountry="US" international value={value} onChange={setValue} /></label>;
}
if (page === "auto") {
  app.innerHTML = `<label>Amount <input id="a"></label><label>Share <input id="b"></label>`;
  const amount = new AutoNumeric("#a", 1200, AutoNumeric.getPredefinedOptions().euro);
  const share = new AutoNumeric("#b", AutoNumeric.getPredefinedOptions().percentageUS2dec);
  compute(() => ({ amount: amount.getNumber(), share: share.getNumber() }));
} else {
  createRoot(app).render(page === "phone" ? <Phone /> : <Numbers />);
}
