import { useState } from "react";
import { createRoot } from "react-dom/client";
import { useDropzone } from "react-dropzone";
import Uppy from "@uppy/core";
import Dashboard from "@uppy/dashboard";
import "@uppy/core/css/style.min.css";
import "@uppy/dashboard/css/style.min.css";
import { app, compute, page, state } from "./state.js";

function Zone() {
  const [files, setFiles] = useState([]);
  const { getRootProps, getInputProps, isDragActive } = useDropzone({ accept: { "text/plain": [".txt"] }, maxFiles: 1,
    onDrop: (taken, refused) => { setFiles(taken.map(({ name }) => name)); state.refused = refused.map(({ file }) => file.name); } });
  state.files = files;
  return <div {...getRootProps()} style={{ border: "2px dashed", padding: 40 }}><input {...getInputProps()} />
    {isDragActive ? "Drop it" : files.length ? `Taken: ${files.join()}` : "Drop a text file, or click"}</div>;
}
if (page === "uppy") {
  const uppy = new Uppy({ restrictions: { maxNumberOfFiles: 3 } }).use(Dashboard, { inline: true, target: "#app", height: 350 });
  compute(() => ({ files: uppy.getFiles().map(({ name }) => name) }));
} else {
  createRoot(app).render(<Zone />);
}
