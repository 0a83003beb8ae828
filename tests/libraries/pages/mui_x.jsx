import { useState } from "react";
import { createRoot } from "react-dom/client";
import { DataGrid } from "@mui/x-data-grid";
import { AdapterDayjs } from "@mui/x-date-pickers/AdapterDayjs";
import { LocalizationProvider } from "@mui/x-date-pickers/LocalizationProvider";
import { DatePicker } from "@mui/x-date-pickers/DatePicker";
import { DateTimeField } from "@mui/x-date-pickers/DateTimeField";
import { TimePicker } from "@mui/x-date-pickers/TimePicker";
import { RichTreeView } from "@mui/x-tree-view/RichTreeView";
import dayjs from "dayjs";
import { app, page, state } from "./state.js";

const ROWS = Array.from({ length: 60 }, (_, id) => ({ id, name: `Person ${id}`, age: 20 + (id * 7) % 50, city: ["Oslo", "Lima", "Rome"][id % 3] }));

function Grid() {
  const [rows, setRows] = useState(ROWS);
  state.row = (id) => rows[id];
  const save = (row) => { setRows((before) => before.map((one) => (one.id === row.id ? row : one))); return row; };
  return (
    <div style={{ height: 450, width: 800 }}>
      <DataGrid rows={rows} processRowUpdate={save} checkboxSelection disableRowSelectionOnClick showToolbar
        onRowSelectionModelChange={(model) => (state.chosen = [...model.ids])} onSortModelChange={(model) => (state.sort = model)}
        onFilterModelChange={(model) => (state.filter = model)}
        columns={[{ field: "name", headerName: "Name", width: 200, editable: true }, { field: "age", headerName: "Age", type: "number", editable: true, width: 120 },
          { field: "city", headerName: "City", editable: true, type: "singleSelect", valueOptions: ["Oslo", "Lima", "Rome"], width: 140 }]} />
    </div>
  );
}

const keep = (name, format) => (value) => (state[name] = value?.isValid() ? value.format(format) : null);
const Pickers = () => (
  <LocalizationProvider dateAdapter={AdapterDayjs}>
    <DatePicker label="Arrival" onChange={keep("arrival", "YYYY-MM-DD")} />
    <DatePicker label="Departure" defaultValue={dayjs("2026-03-10")} onChange={keep("departure", "YYYY-MM-DD")} />
    <TimePicker label="Alarm" ampm={false} onChange={keep("alarm", "HH:mm")} />
    <DateTimeField label="Meeting" ampm={false} onChange={keep("meeting", "YYYY-MM-DD HH:mm")} />
  </LocalizationProvider>
);

const ITEMS = [{ id: "fruit", label: "Fruit", children: [{ id: "citrus", label: "Citrus", children: [{ id: "lemon", label: "Lemon" }, { id: "lime", label: "Lime" }] },
  { id: "apple", label: "Apple" }] }, { id: "nuts", label: "Nuts", children: [{ id: "almond", label: "Almond" }] }];
const Tree = () => <RichTreeView items={ITEMS} multiSelect checkboxSelection={page === "check"} onSelectedItemsChange={(_, ids) => (state.chosen = ids)}
  onExpandedItemsChange={(_, ids) => (state.open = ids)} />;
const Page = { grid: Grid, pickers: Pickers, tree: Tree, check: Tree }[page];
createRoot(app).render(<Page />);
