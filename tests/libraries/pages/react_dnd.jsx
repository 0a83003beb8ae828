import { useState } from "react";
import { createRoot } from "react-dom/client";
import { DndProvider, useDrag, useDrop } from "react-dnd";
import { HTML5Backend } from "react-dnd-html5-backend";
import { app, state } from "./state.js";

const box = { display: "inline-block", padding: 16, margin: 16, border: "1px solid", minWidth: 120 };

function Item({ name }) {
  const [, drag] = useDrag(() => ({ type: "item", item: { name } }));
  return <div ref={drag} style={box}>{name}</div>;
}

function Bin({ name, take }) {
  const [, drop] = useDrop(() => ({ accept: "item", drop: (item) => take(item.name, name) }));
  return <div ref={drop} style={{ ...box, minHeight: 80 }}>{name}</div>;
}

function Page() {
  const [moved, setMoved] = useState([]);
  const take = (item, bin) => setMoved((before) => (state.moved = [...before, `${item} in ${bin}`]));
  return (
    <DndProvider backend={HTML5Backend}>
      {["Bottle", "Banana", "Magazine"].map((name) => <Item key={name} name={name} />)}
      <div>{["Glass bin", "Food bin", "Paper bin"].map((name) => <Bin key={name} name={name} take={take} />)}</div>
      <ul>{moved.map((text) => <li key={text}>{text}</li>)}</ul>
    </DndProvider>
  );
}
createRoot(app).render(<Page />);
