import { useState } from "react";
import { createRoot } from "react-dom/client";
import Slider from "rc-slider";
import "rc-slider/assets/index.css";
import { app, page, state } from "./state.js";

function Page() {
  const range = page === "range";
  const [value, setValue] = useState(range ? [20, 60] : 10);
  const label = range ? ["From", "To"] : "Brightness";
  return (
    <div style={{ margin: 40, width: 400 }}>
      <Slider range={range} min={0} max={100} value={value} onChange={setValue} ariaLabelForHandle={label}
        onChangeComplete={(next) => (state.value = next)} />
      <p>{String(value)}</p>
    </div>
  );
}
createRoot(app).render(<Page />);
