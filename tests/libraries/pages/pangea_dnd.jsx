import { useState } from "react";
import { createRoot } from "react-dom/client";
import { DragDropContext, Draggable, Droppable } from "@hello-pangea/dnd";
import { app, state } from "./state.js";

function Page() {
  const [lists, setLists] = useState({ Todo: ["Write", "Call", "Buy"], Done: ["Pay", "Clean"] });
  state.lists = lists;
  const move = ({ source, destination }) => {
    if (!destination) return;
    const after = { Todo: [...lists.Todo], Done: [...lists.Done] };
    const [item] = after[source.droppableId].splice(source.index, 1);
    after[destination.droppableId].splice(destination.index, 0, item);
    setLists(after);
  };
  return <DragDropContext onDragEnd={move}><div style={{ display: "flex", gap: 20 }}>{Object.entries(lists).map(([name, items]) =>
    <Droppable key={name} droppableId={name}>{(list) => <div ref={list.innerRef} {...list.droppableProps} style={{ width: 200, minHeight: 300, background: "#eee" }}><h2>{name}</h2>
      {items.map((item, index) => <Draggable key={item} draggableId={item} index={index}>{(card) =>
        <div ref={card.innerRef} {...card.draggableProps} {...card.dragHandleProps} style={{ padding: 12, margin: 6, background: "#fff", ...card.draggableProps.style }}>{item}</div>}</Draggable>)}
      {list.placeholder}</div>}</Droppable>)}</div></DragDropContext>;
}
createRoot(app).render(<Page />);
