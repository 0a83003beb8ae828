/** A minute of silence as the URL of a WAV file. */
export function silence(seconds = 60, rate = 8000) {
  const size = seconds * rate;
  const view = new DataView(new ArrayBuffer(44 + size));
  const text = (at, value) => [...value].forEach((letter, index) => view.setUint8(at + index, letter.charCodeAt(0)));
  text(0, "RIFF"); text(8, "WAVEfmt "); text(36, "data");
  view.setUint32(4, 36 + size, true); view.setUint32(16, 16, true); view.setUint16(20, 1, true);
  view.setUint16(22, 1, true); view.setUint32(24, rate, true); view.setUint32(28, rate, true);
  view.setUint16(32, 1, true); view.setUint16(34, 8, true); view.setUint32(40, size, true);
  new Uint8Array(view.buffer, 44).fill(128);
  return URL.createObjectURL(new Blob([view], { type: "audio/wav" }));
}
