// What an action at a point of the window means: who has the focus after it, and what turns with the wheel there.

/** {takes: whether what is typed now goes into a field}, or {frame} with the number of the frame that has the focus. */
const typing = () => {
  const active = deepActive();
  if (active === null) return JSON.stringify({ takes: false });
  if (isFrame(active, localNameOf.call(active))) return JSON.stringify({ frame: nidOf(active) });
  return JSON.stringify({ takes: (takesText(active) || active.editContext != null) && refusal(active) === '' });
};

const scrollsAtAll = (element) => !isLent(element) && (canScroll(element, 'x') || canScroll(element, 'y'));

/** What scrolls around a point, innermost first, but for the page itself. */
const innerScrollers = (hit) => {
  const found = [];
  for (let node = hit; node !== null && node !== scrollingElementOf.call(document); node = flatParent(node)) {
    if (scrollsAtAll(node)) found.push(node);
  }
  return found;
};

/** {around: [nid, …] of what scrolls at a point, frame?: {nid, box} of the frame that is there}. */
const scrollersAt = (x, y) => {
  const hit = elementAt(x, y);
  const answer = { around: innerScrollers(hit).map(nidOf) };
  if (hit !== null && isFrame(hit, localNameOf.call(hit))) {
    const { x: left, y: top, width, height } = contentBox(hit);
    answer.frame = { nid: nidOf(hit), box: [left, top, width, height] };
  }
  return JSON.stringify(answer);
};
