import { useState } from "react";
import { createRoot } from "react-dom/client";
import { Editor, createEditor } from "slate";
import { withHistory } from "slate-history";
import { Editable, Slate, withReact } from "slate-react";
import { app, compute } from "./state.js";

const VALUE = [{ type: "paragraph", children: [{ text: "Meet at noon" }] }, { type: "paragraph", children: [{ text: "Bring the map" }] }];

function Leaf({ attributes, children, leaf }) {
  return <span {...attributes}>{leaf.bold ? <strong>{children}</strong> : children}</span>;
}

function Page() {
  const [editor] = useState(() => withHistory(withReact(createEditor())));
  compute(() => ({
    lines: editor.children.map((block) => Editor.string(editor, [editor.children.indexOf(block)])),
    bold: editor.children.flatMap((block) => block.children.filter((leaf) => leaf.bold).map((leaf) => leaf.text)),
  }));
  const bold = (event) => { event.preventDefault(); Editor.addMark(editor, "bold", true); };
  return (
    <Slate editor={editor} initialValue={VALUE}>
      <button onMouseDown={bold}>Bold</button>
      <Editable aria-label="Message" renderLeaf={(props) => <Leaf {...props} />} style={{ width: 500, border: "1px solid" }} />
    </Slate>
  );
}
createRoot(app).render(<Page />);
