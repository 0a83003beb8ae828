import { createRoot } from "react-dom/client";
import { Autocomplete, Chip, MantineProvider, MultiSelect, NumberInput, PinInput, Rating, SegmentedControl, Select, Slider, Switch, TagsInput } from "@mantine/core";
import { DatePickerInput, DateTimePicker, TimeInput } from "@mantine/dates";
import "@mantine/core/styles.css";
import "@mantine/dates/styles.css";
import { app, page, state } from "./state.js";

const CITIES = ["Oslo", "Lima", "Rome", "Cairo", "Paris", "Quito"];
const put = (name) => (value) => (state[name] = value);
const PAGES = {
  choices: () => <><Select label="City" data={CITIES} searchable onChange={put("city")} /><MultiSelect label="Stops" data={CITIES} onChange={put("stops")} />
    <TagsInput label="Tags" onChange={put("tags")} /><Autocomplete label="Street" data={["Main Street", "Park Lane"]} onChange={put("street")} /></>,
  values: () => <><NumberInput label="Guests" min={1} max={9} onChange={put("guests")} /><PinInput aria-label="Code" onChange={put("code")} /><Rating onChange={put("stars")} />
    <SegmentedControl data={["Day", "Week", "Month"]} onChange={put("span")} /><Slider thumbLabel="Volume" onChange={put("volume")} m={30} /><Switch label="Alerts" onChange={(event) => (state.alerts = event.target.checked)} />
    <Chip.Group multiple onChange={put("chips")}>{["Wifi", "Pool", "Sauna"].map((name) => <Chip key={name} value={name}>{name}</Chip>)}</Chip.Group></>,
  dates: () => <><DatePickerInput label="Arrival" defaultDate="2026-03-01" onChange={put("arrival")} /><DatePickerInput type="range" label="Stay" defaultDate="2026-03-01" onChange={put("stay")} />
    <DateTimePicker label="Call" defaultDate="2026-03-01" onChange={put("call")} /><TimeInput label="Alarm" onChange={(event) => (state.alarm = event.target.value)} /></>,
};
const Page = PAGES[page];
createRoot(app).render(<MantineProvider><Page /></MantineProvider>);
