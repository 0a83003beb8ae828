// Marks on an image: the boxes of the elements that a click reaches, and drawing on the pixels of a screenshot.
import { getClientRects } from './builtins.js';
import { flatParent, elementAt } from './flat_tree.js';
import { answersFor, findPoint, surfaceOf } from './hit_test.js';
import { elementOf } from './registry.js';
import {
  centre, clips, contentBox, hasArea, intersection, isCutOff, rectOf, SEEN, sightOf, viewportRect,
} from './visibility.js';

/** @param {Rect} rect @param {Point} point */
const holds = (rect, point) =>
  rect.x <= point.x && point.x <= rect.x + rect.width && rect.y <= point.y && point.y <= rect.y + rect.height;

/**
 * Return the part of a rectangle that scrolling ancestors show; all of it if they do not show the point either, because
 * a positioned element escapes from them.
 * @param {Element} element @param {Rect} rect @param {Point} point
 */
const shownPart = (element, rect, point) => {
  let part = rect;
  for (let node = flatParent(element); node !== null; node = flatParent(node)) {
    if (flatParent(node) !== null && clips(node)) part = intersection(part, node.getBoundingClientRect());
  }
  return hasArea(part) && holds(part, point) ? part : rect;
};

/** @param {Rect} rect @param {Point | null} point */
const rowOf = ({ x, y, width, height }, point) => [x, y, width, height, point?.x ?? null, point?.y ?? null];

/**
 * Return the row of an element that a click reaches, or 0. `beyond` includes elements outside the viewport, whose rows
 * have no point.
 * @param {Element | null} element @param {boolean} beyond
 */
const visibleRow = (element, beyond) => {
  const surface = element === null ? null : surfaceOf(element);
  if (element === null || surface === null) return 0;
  const { point } = findPoint(element, surface);
  const whole = rectOf(surface);
  if (point !== undefined) {
    const rects = [...getClientRects.call(surface)].filter((rect) => holds(rect, point));
    return rowOf(shownPart(surface, rects[0] ?? whole, point), point);
  }
  if (!beyond || hasArea(intersection(whole, viewportRect())) || isCutOff(surface, centre(whole))) return 0;
  return rowOf(shownPart(surface, whole, centre(whole)), null);
};

/**
 * Return {rows: [[x, y, width, height, point x, point y] or 0, …]} in px of this viewport: the visible parts of the
 * elements that a click reaches.
 * @param {number[]} nids @param {boolean} beyond
 */
export const visibleBoxes = (nids, beyond) =>
  JSON.stringify({ rows: nids.map((nid) => visibleRow(elementOf(nid), beyond)) });

/**
 * Return such rows of the document in a frame, which is `width` × `height` px large, in px of this viewport; 0 for
 * elements that something covers here.
 * @param {number} nid @param {any} subject
 */
export const boxesInFrame = (nid, { width, height, rows, beyond }) => {
  const frame = elementOf(nid);
  if (frame === null || sightOf(frame) !== SEEN) return JSON.stringify({ rows: [] });
  const content = contentBox(frame);
  const [right, down] = [content.width / width, content.height / height];
  const isReached = (/** @type {Point} */ point) => {
    if (beyond && !holds(viewportRect(), point)) return !isCutOff(frame, point);
    const hit = elementAt(point.x, point.y);
    return hit !== null && answersFor(hit, frame);
  };
  const outerRow = (/** @type {any} */ row) => {
    if (row === 0) return 0;
    const rect = { x: content.x + row[0] * right, y: content.y + row[1] * down, width: row[2] * right, height: row[3] * down };
    const point = { x: content.x + row[4] * right, y: content.y + row[5] * down };
    const part = intersection(rect, content);
    return hasArea(part) && isReached(point) ? rowOf(shownPart(frame, part, point), point) : 0;
  };
  return JSON.stringify({ rows: rows.map(outerRow) });
};

const COLORS = ['#c40000', '#0050c8', '#00701a', '#8a00a8', '#9a5800', '#006a78'];
const INSET = 2; // px between the edge of a label and its text

/**
 * Return a promise of {data}: a PNG image, in base64, with marks [text, box, box of the label], in that format. The
 * page is not touched.
 * @param {string} data @param {any[]} marks @param {string} format @param {number | null} quality
 */
export const drawMarks = async (data, marks, format, quality) => {
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes]));
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.drawImage(image, 0, 0);
  const colored = marks.map((mark, index) => [...mark, COLORS[index % COLORS.length]]);
  for (const [, [x, y, width, height], label, color] of colored) {
    context.strokeStyle = context.fillStyle = color;
    context.strokeRect(x + 0.5, y + 0.5, Math.max(width - 1, 1), Math.max(height - 1, 1));
    const [left, top, wide, high] = label;
    const [from, to] = top < y ? [top + high, y] : [y + height, top];
    if (from < to) context.fillRect(Math.max(left, x) + Math.min(wide, width) / 2 - 0.5, from, 1, to - from); // they do not touch
  }
  context.font = 'bold 11px monospace';
  context.textBaseline = 'middle';
  for (const [text, , [x, y, width, height], color] of colored) {
    context.fillStyle = color;
    context.fillRect(x, y, width, height);
    context.fillStyle = 'white';
    context.fillText(text, x + INSET, y + height / 2, width - 2 * INSET);
  }
  const options = { type: `image/${format}`, ...(quality === null ? {} : { quality: quality / 100 }) };
  const drawn = new Uint8Array(await (await canvas.convertToBlob(options)).arrayBuffer());
  return JSON.stringify({ data: btoa(drawn.reduce((text, byte) => text + String.fromCharCode(byte), '')) });
};
