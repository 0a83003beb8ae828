import { useCallback } from "react";
import { createRoot } from "react-dom/client";
import { Controls, ReactFlow, addEdge, useEdgesState, useNodesState } from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import { app, state } from "./state.js";

const NODES = [
  { id: "read", position: { x: 100, y: 50 }, data: { label: "Read file" } },
  { id: "sort", position: { x: 400, y: 50 }, data: { label: "Sort rows" } },
  { id: "save", position: { x: 250, y: 300 }, data: { label: "Save file" } },
];

function Page() {
  const [nodes, , onNodesChange] = useNodesState(NODES);
  const [edges, setEdges, onEdgesChange] = useEdgesState([]);
  const onConnect = useCallback((edge) => setEdges((before) => addEdge(edge, before)), [setEdges]);
  state.places = Object.fromEntries(nodes.map((node) => [node.id, node.position]));
  state.edges = edges.map((edge) => `${edge.source}-${edge.target}`);
  return (
    <div style={{ width: 900, height: 500 }}>
      <ReactFlow nodes={nodes} edges={edges} onNodesChange={onNodesChange} onEdgesChange={onEdgesChange}
        onConnect={onConnect} onMove={(_, view) => (state.zoom = view.zoom)} deleteKeyCode="Delete">
        <Controls />
      </ReactFlow>
    </div>
  );
}
createRoot(app).render(<Page />);
