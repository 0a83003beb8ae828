import { useState } from "react";
import { createRoot } from "react-dom/client";
import GridLayout from "react-grid-layout";
import "react-grid-layout/css/styles.css";
import "react-resizable/css/styles.css";
import { Group, Panel, Separator } from "react-resizable-panels";
import { app, page, state } from "./state.js";

function Grid() {
  const [layout, setLayout] = useState([{ i: "Sales", x: 0, y: 0, w: 3, h: 2 }, { i: "Visits", x: 3, y: 0, w: 3, h: 2 }, { i: "Costs", x: 6, y: 0, w: 3, h: 2 }]);
  state.at = Object.fromEntries(layout.map(({ i, x, y, w, h }) => [i, { x, y, w, h }]));
  return <GridLayout layout={layout} onLayoutChange={setLayout} width={900} gridConfig={{ cols: 12, rowHeight: 60 }}>{layout.map(({ i }) =>
    <div key={i} style={{ background: "#dde" }}>{i}</div>)}</GridLayout>;
}
const Split = () => <div style={{ width: 800, height: 300 }}><Group onLayoutChanged={(sizes) => (state.sizes = sizes)}>
  <Panel id="list" minSize="20%">Inbox</Panel><Separator style={{ width: 8, background: "#999" }} aria-label="Resize the list" /><Panel id="mail">Mail</Panel></Group></div>;
createRoot(app).render(page === "grid" ? <Grid /> : <Split />);
