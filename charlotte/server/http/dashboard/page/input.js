// Mouse and keyboard on the live picture, sent in order, one request at a time.

const LINE = 16;

export class InputQueue {
  constructor(canvas, size, send) {
    Object.assign(this, { canvas, size, send, waiting: [], isSending: false });
    for (const [name, type] of [["mousemove", "move"], ["mousedown", "down"], ["mouseup", "up"]]) {
      canvas.addEventListener(name, (event) => this.#mouse(event, type));
    }
    canvas.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    for (const name of ["keydown", "keyup"]) canvas.addEventListener(name, (event) => this.#key(event));
    canvas.addEventListener("paste", (event) => this.#paste(event));
  }

  add(event) {
    const last = this.waiting.at(-1);
    if (event.type === "move" && last?.type === "move") this.waiting.pop();
    this.waiting.push(event);
    if (!this.isSending) this.#sendAll();
  }

  async #sendAll() {
    this.isSending = true;
    while (this.waiting.length) await this.send(this.waiting.splice(0, 100));
    this.isSending = false;
  }

  // The picture may be larger or smaller than the page.
  #place(event) {
    const { width, height, top } = this.size();
    const box = this.canvas.getBoundingClientRect();
    return {
      x: ((event.clientX - box.left) / box.width) * width,
      y: ((event.clientY - box.top) / box.height) * (height + top) - top,
      modifiers: modifiersOf(event),
    };
  }

  #mouse(event, type) {
    if (!this.size()) return;
    if (type === "down") this.canvas.focus();
    event.preventDefault();
    const { buttons } = event;
    const button = type === "move" ? heldButton(buttons) : event.button;
    this.add({ type, ...this.#place(event), button, buttons, clicks: type === "move" ? 0 : event.detail });
  }

  #wheel(event) {
    if (!this.size()) return;
    event.preventDefault();
    const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1;
    this.add({ type: "wheel", ...this.#place(event), dx: event.deltaX * unit, dy: event.deltaY * unit });
  }

  // Shift and Escape leave the picture, so that the keyboard reaches the buttons. Ctrl or Cmd and V paste.
  #key(event) {
    const { type, key, code, location, repeat } = event;
    if (key === "Escape" && event.shiftKey) {
      if (type === "keydown") document.getElementById("turn-done").focus();
      return;
    }
    if (event.isComposing || (code === "KeyV" && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    this.add({ type, key, code, location, repeat, modifiers: modifiersOf(event) });
  }

  #paste(event) {
    event.preventDefault();
    this.add({ type: "text", text: event.clipboardData.getData("text") });
  }
}

const modifiersOf = (event) =>
  Number(event.altKey) | (Number(event.ctrlKey) << 1) | (Number(event.metaKey) << 2) | (Number(event.shiftKey) << 3);

function heldButton(buttons) {
  if (buttons & 1) return 0;
  if (buttons & 4) return 1;
  return buttons & 2 ? 2 : -1;
}
