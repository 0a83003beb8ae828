import { createRoot } from "react-dom/client";
import { Toaster, toast } from "sonner";
import { app, state } from "./state.js";

const remove = () => {
  state.removed = true;
  toast("Message removed", { duration: 60000, action: { label: "Undo", onClick: () => (state.removed = false) } });
};
createRoot(app).render(<><button onClick={remove}>Remove message</button><Toaster closeButton toastOptions={{ duration: 60000 }}
  position="top-right" /><button onClick={() => toast.success("Saved", { onDismiss: () => (state.dismissed = true) })}>Save</button></>);
