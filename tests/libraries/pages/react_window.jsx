import { useState } from "react";
import { createRoot } from "react-dom/client";
import { List } from "react-window";
import { app, state } from "./state.js";

function Row({ index, style, press }) {
  return <div style={style}><button onClick={() => press(index)}>Open row {index}</button></div>;
}

function Page() {
  const [opened, setOpened] = useState("nothing");
  const press = (index) => setOpened((state.opened = index));
  return (
    <>
      <p role="status">Opened: {opened}</p>
      <List aria-label="Rows" style={{ height: 400, width: 300 }} rowComponent={Row} rowCount={100000} rowHeight={30} rowProps={{ press }} />
    </>
  );
}
createRoot(app).render(<Page />);
