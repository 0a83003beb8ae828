import { useState } from "react";
import { createRoot } from "react-dom/client";
import {
  Combobox, ComboboxInput, ComboboxOption, ComboboxOptions, Field, Label, Listbox, ListboxButton, ListboxOption, ListboxOptions,
  Menu, MenuButton, MenuItem, MenuItems, Radio, RadioGroup, Switch,
} from "@headlessui/react";
import { app, page, state } from "./state.js";

const PEOPLE = ["Durward Reynolds", "Kenton Towne", "Therese Wunsch", "Benedict Kessler", "Katelyn Rohan"];

function People() {
  const [person, setPerson] = useState(PEOPLE[0]);
  const [query, setQuery] = useState("");
  state.person = person;
  return (
    <Field><Label>Assignee</Label><Combobox value={person} onChange={setPerson} onClose={() => setQuery("")}>
      <ComboboxInput onChange={(event) => setQuery(event.target.value)} />
      <ComboboxOptions anchor="bottom">{PEOPLE.filter((name) => name.toLowerCase().includes(query.toLowerCase()))
        .map((name) => <ComboboxOption key={name} value={name}>{name}</ComboboxOption>)}</ComboboxOptions></Combobox></Field>
  );
}

function Several() {
  const [people, setPeople] = useState([]);
  state.people = people;
  return (
    <Field><Label>Guests</Label><Listbox value={people} onChange={setPeople} multiple><ListboxButton>{people.join(", ") || "No one"}</ListboxButton>
      <ListboxOptions anchor="bottom">{PEOPLE.map((name) => <ListboxOption key={name} value={name}>{name}</ListboxOption>)}</ListboxOptions></Listbox></Field>
  );
}

function Rest() {
  const [plan, setPlan] = useState("Startup");
  const [on, setOn] = useState(false);
  Object.assign(state, { plan, on });
  return (
    <><Menu><MenuButton>My account</MenuButton><MenuItems anchor="bottom">
      <MenuItem><button onClick={() => (state.done = "settings")}>Settings</button></MenuItem>
      <MenuItem><button onClick={() => (state.done = "signed out")}>Sign out</button></MenuItem></MenuItems></Menu>
    <RadioGroup value={plan} onChange={setPlan} aria-label="Plan">{["Startup", "Business", "Enterprise"].map((name) =>
      <Field key={name}><Radio value={name}>○</Radio><Label>{name}</Label></Field>)}</RadioGroup>
    <Field><Label>Notifications</Label><Switch checked={on} onChange={setOn}>{on ? "on" : "off"}</Switch></Field></>
  );
}
const Page = { combobox: People, listbox: Several, rest: Rest }[page];
createRoot(app).render(<Page />);
