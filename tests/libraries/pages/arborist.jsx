import { createRoot } from "react-dom/client";
import { Tree } from "react-arborist";
import { app, compute } from "./state.js";

const data = [{ id: "in", name: "Inbox" }, { id: "work", name: "Work", children: [{ id: "plan", name: "Plan" }, { id: "bill", name: "Bills" }] }, { id: "trash", name: "Trash", children: [{ id: "old", name: "Old mail" }] }];
let tree;
createRoot(app).render(<Tree ref={(api) => (tree = api ?? tree)} initialData={data} openByDefault={false} width={300} height={300} />);
compute(() => ({ chosen: tree.selectedIds.size && [...tree.selectedIds], open: tree.openState, names: tree.visibleNodes.map((node) => node.data.name),
  parent: Object.fromEntries(tree.visibleNodes.map((node) => [node.data.name, node.parent.isRoot ? "" : node.parent.data.name])) }));
