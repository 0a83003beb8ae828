import { useState } from "react";
import { createRoot } from "react-dom/client";
import { DndContext, KeyboardSensor, PointerSensor, closestCenter, useSensor, useSensors } from "@dnd-kit/core";
import { SortableContext, arrayMove, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import { app, state } from "./state.js";

function Row({ id }) {
  const { attributes, listeners, setNodeRef, transform, transition } = useSortable({ id });
  const style = { transform: CSS.Transform.toString(transform), transition, padding: 12, margin: 4, border: "1px solid" };
  return <li ref={setNodeRef} style={style} {...attributes} {...listeners}>{id}</li>;
}

function Page() {
  const [items, setItems] = useState(["Apples", "Bread", "Cheese", "Dates"]);
  state.items = items;
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 5 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }));
  const move = ({ active, over }) => over && active.id !== over.id &&
    setItems((before) => arrayMove(before, before.indexOf(active.id), before.indexOf(over.id)));
  return (
    <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={move}>
      <SortableContext items={items} strategy={verticalListSortingStrategy}>
        <ul style={{ width: 300 }}>{items.map((id) => <Row key={id} id={id} />)}</ul>
      </SortableContext>
    </DndContext>
  );
}
createRoot(app).render(<Page />);
