import { createRoot } from "react-dom/client";
import { AlertDialog, ContextMenu, DropdownMenu, Select, Slider, Switch, ToggleGroup } from "radix-ui";
import { app, page, state } from "./state.js";

const mark = (name) => () => (state.done = name);
const PAGES = {
  slider: () => (
    <Slider.Root defaultValue={[50]} onValueCommit={([value]) => (state.value = value)}
      style={{ display: "flex", alignItems: "center", position: "relative", width: 300, height: 24, margin: 20 }}>
      <Slider.Track style={{ background: "#ccc", flexGrow: 1, height: 4, position: "relative" }}><Slider.Range /></Slider.Track>
      <Slider.Thumb aria-label="Volume" style={{ display: "block", width: 20, height: 20, borderRadius: 10, background: "navy" }} />
    </Slider.Root>),
  select: () => (
    <label>Fruit <Select.Root onValueChange={(value) => (state.fruit = value)}>
      <Select.Trigger aria-label="Fruit"><Select.Value placeholder="Pick a fruit" /></Select.Trigger>
      <Select.Portal><Select.Content><Select.Viewport>
        {["Apple", "Banana", "Grapes", "Pear"].map((name) => <Select.Item key={name} value={name}><Select.ItemText>{name}</Select.ItemText></Select.Item>)}
      </Select.Viewport></Select.Content></Select.Portal>
    </Select.Root></label>),
  menu: () => (
    <DropdownMenu.Root><DropdownMenu.Trigger>Options</DropdownMenu.Trigger>
      <DropdownMenu.Portal><DropdownMenu.Content style={{ background: "#fff", border: "1px solid" }}>
        <DropdownMenu.Item onSelect={mark("new")}>New tab</DropdownMenu.Item>
        <DropdownMenu.Sub><DropdownMenu.SubTrigger>More tools</DropdownMenu.SubTrigger>
          <DropdownMenu.Portal><DropdownMenu.SubContent style={{ background: "#fff", border: "1px solid" }}>
            <DropdownMenu.Item onSelect={mark("save")}>Save page</DropdownMenu.Item>
            <DropdownMenu.Item onSelect={mark("tools")}>Developer tools</DropdownMenu.Item></DropdownMenu.SubContent></DropdownMenu.Portal></DropdownMenu.Sub>
        <DropdownMenu.CheckboxItem onCheckedChange={(on) => (state.bookmarks = on)}>Show bookmarks</DropdownMenu.CheckboxItem>
      </DropdownMenu.Content></DropdownMenu.Portal></DropdownMenu.Root>),
  context: () => (
    <ContextMenu.Root><ContextMenu.Trigger><div style={{ width: 300, height: 100, border: "1px dashed" }}>Right-click here</div></ContextMenu.Trigger>
      <ContextMenu.Portal><ContextMenu.Content style={{ background: "#fff", border: "1px solid" }}>
        <ContextMenu.Item onSelect={mark("back")}>Back</ContextMenu.Item><ContextMenu.Item onSelect={mark("reload")}>Reload</ContextMenu.Item>
      </ContextMenu.Content></ContextMenu.Portal></ContextMenu.Root>),
  dialog: () => (
    <AlertDialog.Root><AlertDialog.Trigger>Delete account</AlertDialog.Trigger>
      <AlertDialog.Portal><AlertDialog.Overlay style={{ position: "fixed", inset: 0, background: "#0008" }} />
        <AlertDialog.Content style={{ position: "fixed", top: 100, left: 100, background: "#fff", padding: 20 }}>
          <AlertDialog.Title>Are you sure?</AlertDialog.Title><AlertDialog.Description>This cannot be undone.</AlertDialog.Description>
          <AlertDialog.Cancel>Cancel</AlertDialog.Cancel><AlertDialog.Action onClick={mark("deleted")}>Yes, delete</AlertDialog.Action>
        </AlertDialog.Content></AlertDialog.Portal></AlertDialog.Root>),
  toggles: () => <><label htmlFor="s">Aeroplane mode</label><Switch.Root id="s" onCheckedChange={(on) => (state.mode = on)}
    style={{ width: 40, height: 20 }}><Switch.Thumb /></Switch.Root>
    <ToggleGroup.Root type="multiple" onValueChange={(value) => (state.styles = value)}>
      {["Bold", "Italic", "Underline"].map((name) => <ToggleGroup.Item key={name} value={name}>{name}</ToggleGroup.Item>)}</ToggleGroup.Root></>,
};
const Page = PAGES[page];
createRoot(app).render(<Page />);
