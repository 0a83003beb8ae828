import { useState } from "react";
import { createRoot } from "react-dom/client";
import { Command } from "cmdk";
import { Drawer } from "vaul";
import { app, page, state } from "./state.js";

state.done = [];
const COMMANDS = { File: ["New file", "Open recent"], View: ["Zoom in", "Zoom out", "Full screen"] };
function Palette() {
  const [open, setOpen] = useState(false);
  state.open = open;
  return <><button onClick={() => setOpen(true)}>Commands</button>
    <Command.Dialog open={open} onOpenChange={setOpen} label="Command menu" contentClassName="c"><Command.Input placeholder="Type a command" /><Command.List>
      <Command.Empty>Nothing found.</Command.Empty>
      {Object.entries(COMMANDS).map(([group, names]) => <Command.Group key={group} heading={group}>{names.map((name) =>
        <Command.Item key={name} onSelect={() => { state.done.push(name); setOpen(false); }}>{name}</Command.Item>)}</Command.Group>)}
    </Command.List></Command.Dialog><style>{`.c{position:fixed;top:60px;left:60px;width:300px;background:#fff;border:1px solid}`}</style></>;
}

function Sheet() {
  const [open, setOpen] = useState(false);
  state.open = open;
  return <Drawer.Root open={open} onOpenChange={setOpen}><Drawer.Trigger>Set a goal</Drawer.Trigger><Drawer.Portal>
    <Drawer.Overlay style={{ position: "fixed", inset: 0, background: "#0006" }} />
    <Drawer.Content style={{ position: "fixed", bottom: 0, left: 0, right: 0, height: 300, background: "#fff" }}><Drawer.Handle /><Drawer.Title>Daily goal</Drawer.Title>
      <label>Calories <input onChange={(event) => (state.goal = event.target.value)} /></label><Drawer.Close>Done</Drawer.Close></Drawer.Content></Drawer.Portal></Drawer.Root>;
}
const Page = { palette: Palette, sheet: Sheet }[page];
createRoot(app).render(<Page />);
