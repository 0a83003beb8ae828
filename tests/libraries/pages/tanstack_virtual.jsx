import { useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { app, state } from "./state.js";

function Page() {
  const parent = useRef(null);
  const [liked, setLiked] = useState([]);
  const rows = useVirtualizer({ count: 2000, getScrollElement: () => parent.current, estimateSize: () => 40 });
  state.liked = liked;
  return (
    <div ref={parent} role="feed" aria-label="Posts" tabIndex={0} style={{ height: 400, width: 400, overflow: "auto" }}>
      <div style={{ height: rows.getTotalSize(), position: "relative" }}>
        {rows.getVirtualItems().map((item) => (
          <article key={item.key} ref={rows.measureElement} data-index={item.index} aria-label={`Post ${item.index}`}
            style={{ position: "absolute", top: 0, transform: `translateY(${item.start}px)`, padding: 8 }}>
            Post {item.index} <label><input type="checkbox" checked={liked.includes(item.index)}
              onChange={() => setLiked((before) => [...before, item.index])} /> Like</label>
          </article>))}
      </div>
    </div>
  );
}
createRoot(app).render(<Page />);
