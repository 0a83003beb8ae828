import { createRoot } from "react-dom/client";
import { EditorContent, useEditor } from "@tiptap/react";
import StarterKit from "@tiptap/starter-kit";
import { app, compute } from "./state.js";

function Page() {
  const editor = useEditor({ extensions: [StarterKit], content: "<p>The brave fox</p><p>runs home</p>", editorProps: {
    attributes: { "aria-label": "Story", role: "textbox" } } });
  compute(() => ({ html: editor.getHTML() }));
  const run = (command) => () => editor.chain().focus()[command[0]](...command.slice(1)).run();
  const BUTTONS = { Bold: ["toggleBold"], Heading: ["toggleHeading", { level: 2 }], List: ["toggleBulletList"], Undo: ["undo"] };
  return (
    <>{Object.entries(BUTTONS).map(([name, command]) => (
      <button key={name} onMouseDown={(event) => event.preventDefault()} onClick={run(command)}>{name}</button>))}
    <EditorContent editor={editor} /></>
  );
}
createRoot(app).render(<Page />);
