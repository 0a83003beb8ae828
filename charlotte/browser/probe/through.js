// through(): from a point in the document of a frame to the point outside at which a click reaches it.

/** Where a point of a document that is `size` px large comes out in the window of its frame. */
const outward = (box, point, size) => ({
  x: box.x + (point.x * box.width) / size.width,
  y: box.y + (point.y * box.height) / size.height,
});

/** What lies over the frame at that point; null when the point is not in view. */
const coverAt = (point) => {
  const hit = elementAt(point.x, point.y);
  return hit === null ? null : { hit, point };
};

/** A frame may be larger than the window: first it is brought into view, then the point in it. */
const scrollToPoint = (frame, pointNow) => {
  scrollToMiddle(frame);
  const point = pointNow();
  if (elementAt(point.x, point.y) !== null) return;
  const middle = centre(viewportRect());
  window.scrollBy({ left: point.x - middle.x, top: point.y - middle.y, behavior: 'instant' });
};

/** One look at a frame: {point, place} when a click there reaches the document inside, else {error, by?}. */
const lookThrough = (frame, state, inner, size) => {
  if (sightOf(frame) !== SEEN) return { error: 'hidden' };
  const pointNow = () => outward(contentBox(frame), inner, size);
  const isHit = (cover) => cover !== null && answersFor(cover.hit, frame);
  let cover = coverAt(pointNow());
  if (!isHit(cover) && !state.scrolled && scrollHelps(frame, cover)) {
    state.scrolled = true;
    scrollToPoint(frame, pointNow);
    cover = coverAt(pointNow());
  }
  return isHit(cover) ? { point: cover.point, place: rounded(contentBox(frame)).join() } : missed(frame, cover);
};

/**
 * A promise of {x, y, scrolled?} in px of this frame's viewport for the point (x, y) in the document of the
 * frame with that number, whose viewport is width × height, or {error: gone|hidden|no box|covered|moving, by?}.
 */
const through = async (nid, { x, y, width, height, wait = 2000, press = false }) => {
  const lookAt = (frame, state) => lookThrough(frame, state, { x, y }, { width, height });
  const answer = await untilStill(nid, lookAt, wait);
  if (press && answer.error === undefined) awaitPress(answer, () => false); // it is to be met inside
  return JSON.stringify(answer);
};
