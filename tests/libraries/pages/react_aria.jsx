import { createRoot } from "react-dom/client";
import {
  Button, Calendar, CalendarCell, CalendarGrid, ComboBox, DateField, DateInput, DatePicker, DateSegment, Dialog, Group, Heading,
  Input, Label, ListBox, ListBoxItem, NumberField, Popover, Slider, SliderThumb, SliderTrack, TimeField,
} from "react-aria-components";
import { CalendarDate, Time } from "@internationalized/date";
import { app, page, state } from "./state.js";

const keep = (name) => (value) => (state[name] = value?.toString?.() ?? value);
const segments = <DateInput style={{ display: "flex" }}>{(segment) => <DateSegment segment={segment} />}</DateInput>;
const PAGES = {
  date: () => <><DateField onChange={keep("date")}><Label>Birth date</Label>{segments}</DateField>
    <TimeField defaultValue={new Time(9, 0)} onChange={keep("time")}><Label>Alarm</Label>{segments}</TimeField></>,
  picker: () => (
    <DatePicker defaultValue={new CalendarDate(2026, 3, 10)} onChange={keep("date")}>
      <Label>Departure</Label><Group style={{ display: "flex" }}>{segments}<Button>▼</Button></Group>
      <Popover><Dialog><Calendar><Button slot="previous">Earlier</Button><Heading /><Button slot="next">Later</Button>
        <CalendarGrid>{(date) => <CalendarCell date={date} />}</CalendarGrid></Calendar></Dialog></Popover>
    </DatePicker>),
  combo: () => (
    <ComboBox onChange={keep("animal")} onSelectionChange={keep("animal")}><Label>Animal</Label><div><Input /><Button>▼</Button></div>
      <Popover><ListBox>{["Aardvark", "Badger", "Kangaroo", "Panda"].map((name) => <ListBoxItem key={name} id={name}>{name}</ListBoxItem>)}</ListBox></Popover>
    </ComboBox>),
  list: () => (
    <ListBox aria-label="Toppings" selectionMode="multiple" onSelectionChange={(keys) => (state.chosen = [...keys])}>
      {["Cheese", "Ham", "Olives", "Peppers"].map((name) => <ListBoxItem key={name} id={name}>{name}</ListBoxItem>)}</ListBox>),
  numbers: () => <><NumberField defaultValue={2} minValue={0} onChange={keep("guests")}><Label>Guests</Label>
    <Group><Button slot="decrement">-</Button><Input /><Button slot="increment">+</Button></Group></NumberField>
    <Slider defaultValue={30} onChangeEnd={keep("opacity")} style={{ width: 300 }}><Label>Opacity</Label>
      <SliderTrack style={{ height: 30, width: 300, background: "#eee", position: "relative" }}>
        <SliderThumb style={{ width: 20, height: 20, background: "navy", top: 15 }} /></SliderTrack></Slider></>,
};
const Page = PAGES[page];
createRoot(app).render(<Page />);
