// Frames: the row of an iframe, and where in it the document inside is shown.
const FRAMES = setOf('iframe frame');

const isFrame = (element, tag) =>
  FRAMES.has(tag) && (element instanceof HTMLIFrameElement || element instanceof HTMLFrameElement);

const px = (length) => Number.parseFloat(length) || 0;

/** The content box in CSS px of this frame's viewport, after scaling by transforms. */
const contentBox = (frame) => {
  const rect = getBoundingClientRect.call(frame);
  const style = getComputedStyle(frame);
  const scaleX = rect.width / (frame.offsetWidth || 1);
  const scaleY = rect.height / (frame.offsetHeight || 1);
  const left = clientLeftOf.call(frame) + px(style.paddingLeft);
  const top = clientTopOf.call(frame) + px(style.paddingTop);
  return {
    x: rect.x + left * scaleX,
    y: rect.y + top * scaleY,
    width: (clientWidthOf.call(frame) - px(style.paddingLeft) - px(style.paddingRight)) * scaleX,
    height: (clientHeightOf.call(frame) - px(style.paddingTop) - px(style.paddingBottom)) * scaleY,
  };
};

const MIN_SHOWN = 2; // px; what is smaller counts visits and shows nothing

/** The row of a frame in which something can be seen; the document inside has rows of its own. */
const frameRow = (frame, tag) => {
  const box = boxOf(frame);
  const inner = rounded(contentBox(frame));
  if (box === 0 || inner[2] < MIN_SHOWN || inner[3] < MIN_SHOWN) return null;
  const extra = { k: 'd', inner: [inner[0] - box[0], inner[1] - box[1], inner[2], inner[3]] }; // moves along
  if (frame === pass.active) extra.focused = 1;
  return row(frame, 'iframe', nameOf(frame, tag) || attribute(frame, 'name') || '', extra, box);
};

/** {box: the content box of a frame} or {error: "gone"}. */
const content = (nid) => {
  const frame = elementOf(nid);
  return frame === null ? GONE_ANSWER : JSON.stringify({ box: rounded(contentBox(frame)) });
};
