import { useState } from "react";
import { createRoot } from "react-dom/client";
import {
  Accordion, AccordionDetails, AccordionSummary, Autocomplete, Button, Checkbox, Dialog,
  DialogActions, DialogContent, DialogTitle, FormControlLabel, Menu, MenuItem, Pagination, Rating, Select, Slider,
  Snackbar, Switch, Tab, Table, TableBody, TableCell, TableHead, TableRow, Tabs, TextField, ToggleButton, ToggleButtonGroup,
  Tooltip,
} from "@mui/material";
import { state } from "./state.js";

const PEOPLE = ["Ada Lovelace", "Alan Turing", "Grace Hopper", "Edsger Dijkstra", "Barbara Liskov"];

function DialogPage() {
  const [open, setOpen] = useState(false);
  const [name, setName] = useState("");
  return (
    <>
      <TextField label="Name" value={name} onChange={(event) => setName(event.target.value)} />
      <Button onClick={() => setOpen(true)}>Open dialog</Button>
      <p style={{ display: "none" }}>Secret paragraph</p>
      <Dialog open={open} onClose={() => setOpen(false)}>
        <DialogTitle>New event</DialogTitle>
        <DialogContent>
          <TextField label="Title of the event" margin="normal" autoFocus />
          <TextField label="Place" margin="normal" />
        </DialogContent>
        <DialogActions>
          <Button onClick={() => setOpen(false)}>Cancel</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

function FormPage() {
  const [age, setAge] = useState("");
  const [shown, setShown] = useState(false);
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <TextField label="Password" type="password" helperText="At least eight characters" />
      <Select value={age} displayEmpty onChange={(event) => setAge(event.target.value)}
        inputProps={{ "aria-label": "Age" }}>
        <MenuItem value="">None</MenuItem>
        <MenuItem value="ten">Ten</MenuItem>
        <MenuItem value="twenty">Twenty</MenuItem>
      </Select>
      <FormControlLabel control={<Checkbox onChange={(_, on) => setShown(on)} />} label="Agree" />
      <FormControlLabel control={<Switch defaultChecked />} label="Notifications" />
      <p hidden={!shown}>Terms and conditions</p>
    </form>
  );
}

function TabsPage() {
  const [tab, setTab] = useState(0);
  return (
    <>
      <Tabs value={tab} onChange={(_, next) => setTab(next)}>
        <Tab label="Profile" />
        <Tab label="Billing" />
      </Tabs>
      <div hidden={tab !== 0}>Profile of the user</div>
      <div hidden={tab !== 1}>Card ends with 4242</div>
      <Accordion>
        <AccordionSummary>Shipping details</AccordionSummary>
        <AccordionDetails>Parcels leave on Monday</AccordionDetails>
      </Accordion>
    </>
  );
}

function ListPage() {
  const [sent, setSent] = useState(false);
  return (
    <>
      <Autocomplete multiple options={PEOPLE}
        renderInput={(params) => <TextField {...params} label="People" />} />
      <Slider aria-label="Volume" defaultValue={30} />
      <Rating name="stars" defaultValue={2} />
      <Button onClick={() => setSent(true)}>Send</Button>
      <Snackbar open={sent} message="Message sent" />
    </>
  );
}

function TablePage() {
  const [rows, setRows] = useState([["Ann", 34], ["Bob", 51], ["Cid", 22]]);
  return (
    <>
      <Tooltip title="Sort by age"><Button onClick={() => setRows([...rows].sort((a, b) => a[1] - b[1]))}>
        Sort</Button></Tooltip>
      <Table>
        <TableHead><TableRow><TableCell>Person</TableCell><TableCell>Age</TableCell></TableRow></TableHead>
        <TableBody>
          {rows.map(([person, age]) => (
            <TableRow key={person}><TableCell>{person}</TableCell>
              <TableCell>{age}<span style={{ visibility: "hidden" }}>years old</span></TableCell></TableRow>
          ))}
        </TableBody>
      </Table>
    </>
  );
}

const keep = (name) => (_, value) => (state[name] = value);

function ValuesPage() {
  return (
    <div style={{ width: 300, margin: 30 }}>
      <Autocomplete multiple options={Array.from({ length: 200 }, (_, index) => `Person ${index}`)} onChange={keep("people")}
        renderInput={(params) => <TextField {...params} label="People" />} />
      <Slider aria-label="Volume" defaultValue={30} onChangeCommitted={keep("volume")} />
      <Slider getAriaLabel={(index) => ["Lowest price", "Highest price"][index]} max={200} defaultValue={[20, 100]} onChangeCommitted={keep("prices")} />
      <Rating name="stars" defaultValue={2} onChange={keep("stars")} />
    </div>
  );
}

function WorkPage() {
  const [anchor, setAnchor] = useState(null);
  const [open, setOpen] = useState(false);
  const [name, setName] = useState("");
  const done = (text) => () => { state.done = text; setAnchor(null); };
  return (
    <>
      <Button onClick={(event) => setAnchor(event.currentTarget)}>Account</Button>
      <Menu anchorEl={anchor} open={Boolean(anchor)} onClose={() => setAnchor(null)}>
        <MenuItem onClick={done("profile")}>My profile</MenuItem><MenuItem onClick={done("logout")}>Log out</MenuItem></Menu>
      <Button onClick={() => setOpen(true)}>New project</Button>
      <Dialog open={open} onClose={() => setOpen(false)}><DialogTitle>New project</DialogTitle><DialogContent>
        <TextField label="Project name" margin="normal" value={name} onChange={(event) => setName(event.target.value)} />
        <TextField select label="Colour" margin="normal" fullWidth defaultValue="red" onChange={(event) => (state.color = event.target.value)}>
          {["red", "green", "blue"].map((color) => <MenuItem key={color} value={color}>{color}</MenuItem>)}</TextField></DialogContent>
        <DialogActions><Button onClick={() => { state.project = name; setOpen(false); }}>Create</Button></DialogActions></Dialog>
      <FormControlLabel control={<Checkbox onChange={keep("agree")} />} label="Agree" />
      <FormControlLabel control={<Switch onChange={keep("dark")} />} label="Dark mode" />
      <ToggleButtonGroup exclusive onChange={keep("align")} aria-label="Alignment">
        <ToggleButton value="left" aria-label="Left aligned">≡</ToggleButton><ToggleButton value="right" aria-label="Right aligned">≣</ToggleButton>
      </ToggleButtonGroup>
      <Pagination count={9} onChange={keep("page")} />
    </>
  );
}

const PAGES = { values: ValuesPage, work: WorkPage, dialog: DialogPage, form: FormPage, tabs: TabsPage, list: ListPage, table: TablePage };
const Page = PAGES[new URLSearchParams(location.search).get("page")];
createRoot(document.getElementById("app")).render(<Page />);
