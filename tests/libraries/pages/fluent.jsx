import { createRoot } from "react-dom/client";
import { Button, Combobox, Field, FluentProvider, Menu, MenuItem, MenuList, MenuPopover, MenuTrigger, Option, Radio, RadioGroup, Slider, SpinButton, Switch, Tab,
  TabList, webLightTheme } from "@fluentui/react-components";
import { app, page, state } from "./state.js";

const put = (name) => (_, data) => (state[name] = data.value ?? data.checked);
const options = ["Cat", "Dog", "Ferret", "Fish", "Hamster"].map((name) => <Option key={name}>{name}</Option>);
const PAGES = {
  choices: () => <><Field label="Pets"><Combobox multiselect onOptionSelect={(_, data) => (state.pets = data.selectedOptions)}>{options}</Combobox></Field>
    <Menu><MenuTrigger><Button>More</Button></MenuTrigger><MenuPopover><MenuList><MenuItem onClick={() => (state.done = "print")}>Print</MenuItem>
      <Menu><MenuTrigger><MenuItem>Share</MenuItem></MenuTrigger><MenuPopover><MenuList><MenuItem onClick={() => (state.done = "mail")}>By mail</MenuItem></MenuList></MenuPopover></Menu></MenuList></MenuPopover></Menu></>,
  values: () => <><Field label="Volume"><Slider onChange={put("volume")} /></Field><Field label="Guests"><SpinButton defaultValue={2} onChange={(_, data) => (state.guests = data.value ?? Number(data.displayValue))} /></Field>
    <Switch label="Alerts" onChange={put("alerts")} /><RadioGroup onChange={put("size")}>{["Small", "Large"].map((name) => <Radio key={name} value={name} label={name} />)}</RadioGroup>
    <TabList onTabSelect={(_, data) => (state.tab = data.value)}>{["Mail", "Files"].map((name) => <Tab key={name} value={name}>{name}</Tab>)}</TabList></>,
};
const Page = PAGES[page];
createRoot(app).render(<FluentProvider theme={webLightTheme}><Page /></FluentProvider>);
