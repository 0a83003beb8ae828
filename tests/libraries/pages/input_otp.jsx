import { useState } from "react";
import { createRoot } from "react-dom/client";
import { OTPInput } from "input-otp";
import { app, state } from "./state.js";

const box = { display: "inline-block", width: 32, height: 40, border: "1px solid", margin: 2, textAlign: "center" };

function Page() {
  const [code, setCode] = useState("");
  return (
    <label>One-time code
      <OTPInput maxLength={6} value={code} onChange={setCode} onComplete={(done) => (state.code = done)}
        render={({ slots }) => <div>{slots.map((slot, index) => <span key={index} style={box}>{slot.char}</span>)}</div>} />
    </label>
  );
}
createRoot(app).render(<Page />);
