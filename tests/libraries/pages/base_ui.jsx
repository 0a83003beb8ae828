import { createRoot } from "react-dom/client";
import { Checkbox } from "@base-ui/react/checkbox";
import { Collapsible } from "@base-ui/react/collapsible";
import { Menu } from "@base-ui/react/menu";
import { NumberField } from "@base-ui/react/number-field";
import { Select } from "@base-ui/react/select";
import { Slider } from "@base-ui/react/slider";
import { Switch } from "@base-ui/react/switch";
import { app, page, state } from "./state.js";

const put = (name) => (value) => (state[name] = value);
const box = { width: 20, height: 20, border: "1px solid", display: "inline-block" };
const PAGES = {
  choices: () => <><Select.Root onValueChange={put("font")} items={["Sans", "Serif", "Mono"]}><Select.Trigger aria-label="Font"><Select.Value /></Select.Trigger><Select.Portal><Select.Positioner><Select.Popup style={{ background: "#fff" }}>
    {["Sans", "Serif", "Mono"].map((name) => <Select.Item key={name} value={name}><Select.ItemText>{name}</Select.ItemText></Select.Item>)}</Select.Popup></Select.Positioner></Select.Portal></Select.Root>
    <Menu.Root><Menu.Trigger>Song</Menu.Trigger><Menu.Portal><Menu.Positioner><Menu.Popup style={{ background: "#fff", border: "1px solid" }}><Menu.CheckboxItem closeOnClick={false} onCheckedChange={put("shuffle")}>Shuffle</Menu.CheckboxItem>
      <Menu.Item onClick={() => (state.done = "queued")}>Play next</Menu.Item></Menu.Popup></Menu.Positioner></Menu.Portal></Menu.Root></>,
  values: () => <><label>Agree <Checkbox.Root style={box} onCheckedChange={put("agree")}><Checkbox.Indicator>x</Checkbox.Indicator></Checkbox.Root></label>
    <label>Alerts <Switch.Root style={{ ...box, width: 40 }} onCheckedChange={put("alerts")}><Switch.Thumb /></Switch.Root></label>
    <NumberField.Root defaultValue={2} onValueChange={put("guests")}><NumberField.Group><NumberField.Decrement>-</NumberField.Decrement><NumberField.Input aria-label="Guests" /><NumberField.Increment>+</NumberField.Increment></NumberField.Group></NumberField.Root>
    <Slider.Root defaultValue={25} onValueChange={put("volume")}><Slider.Control style={{ width: 300, padding: 12 }}><Slider.Track style={{ height: 4, background: "#aaa" }}><Slider.Indicator /><Slider.Thumb aria-label="Volume" style={{ ...box, borderRadius: 10 }} /></Slider.Track></Slider.Control></Slider.Root>
    <Collapsible.Root onOpenChange={put("open")}><Collapsible.Trigger>Recovery keys</Collapsible.Trigger><Collapsible.Panel>alien-bean-pasta</Collapsible.Panel></Collapsible.Root></>,
};
const Page = PAGES[page];
createRoot(app).render(<Page />);
