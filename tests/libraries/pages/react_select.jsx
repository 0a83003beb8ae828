import { useState } from "react";
import { createRoot } from "react-dom/client";
import Select from "react-select";
import Creatable from "react-select/creatable";
import { state } from "./state.js";

const CITIES = ["Lisbon", "Oslo", "Paris", "Rome", "Vienna"].map((name) => ({ value: name.toLowerCase(), label: name }));
const GROUPS = [{ label: "South", options: CITIES.slice(0, 2) }, { label: "North", options: CITIES.slice(2) }];

function Dependent() {
  const [city, setCity] = useState(null);
  return (
    <>
      <Select aria-label="City" options={CITIES} value={city} onChange={setCity} />
      <p style={{ display: city ? "block" : "none" }}>Delivery takes two days</p>
      <label>Street<input /></label>
    </>
  );
}

const keep = (chosen) => (state.chosen = Array.isArray(chosen) ? chosen.map((one) => one.label) : chosen?.label);

const PAGES = {
  single: () => <Select aria-label="City" options={CITIES} onChange={keep} />,
  multi: () => <Select aria-label="Cities" options={CITIES} isMulti defaultValue={[CITIES[1]]} onChange={keep} />,
  groups: () => <Select aria-label="Grouped city" options={GROUPS} menuIsOpen={undefined} onChange={keep} />,
  creatable: () => <Creatable aria-label="Tags" isMulti options={CITIES} onChange={keep} />,
  dependent: Dependent,
};
const Page = PAGES[new URLSearchParams(location.search).get("page")];
createRoot(document.getElementById("app")).render(<Page />);
