// unveil(): brings an element into view for a picture, away from what would be on the picture in its place.
const INSET = 2; // px from the edges; the corners may be round

/** Where to look for covers: what a bar at an edge of the window hides need not reach the middle. */
const coverPoints = (rect) => {
  const middle = centre(rect);
  return [
    ...pointsIn(rect),
    { x: middle.x, y: rect.y + INSET },
    { x: middle.x, y: rect.y + rect.height - INSET },
    { x: rect.x + INSET, y: middle.y },
    { x: rect.x + rect.width - INSET, y: middle.y },
  ];
};

/** Whether `hit` is something else than the element with what is in it and around it. */
const hides = (hit, element) => !answersFor(hit, element) && !answersFor(element, hit);

/** {hit, point} of something else that is seen in the place of a part of the element, or null. */
const veilOf = (element) => {
  if (getComputedStyle(element).pointerEvents === 'none') return null; // what is hit there lies behind it
  for (const point of visibleRects(element).flatMap(coverPoints)) {
    const hit = elementAt(point.x, point.y);
    if (hit !== null && hides(hit, element) && !isCutOff(element, point)) return { hit, point };
  }
  return null;
};

/** {by?: what still covers some of it} or {error: "gone"}. */
const unveil = (nid) => {
  const element = elementOf(nid);
  if (element === null) return GONE_ANSWER;
  scrollIntoView.call(element, { block: 'nearest', inline: 'nearest', behavior: 'instant' });
  let veil = veilOf(element);
  if (veil !== null && !coversMiddle(veil.hit)) {
    scrollToMiddle(element);
    veil = veilOf(element);
  }
  return JSON.stringify(veil === null ? {} : { by: describeElement(veil.hit) });
};
