// target(): one call from a number to a point that can be clicked. Waits until the element is visible, enabled,
// standing still and not covered, scrolls it into view when it is not, and says what is wrong if it stays so.
/** What to click for an element: itself, or a visible label of a control that takes no room or no mouse of its own. */
const surfaceOf = (element) => {
  const surfaces = [element, ...labelsOf(element)].filter(isDrawn);
  const reached = surfaces.find((one) => !letsThrough(one) || mouseTaker(flatParent(one)) !== null);
  return reached ?? surfaces[0] ?? null;
};

const describeElement = (element) => {
  const id = idOf.call(element);
  const text = attribute(element, 'aria-label') || textOf(element, 40);
  return localNameOf.call(element) + (id === '' ? '' : `#${id}`) + (text === '' ? '' : ` "${text}"`);
};

const unseen = (element) => (isFileInput(element, localNameOf.call(element)) ? 'unseen file input' : 'hidden');

/** What keeps an element from being used, before its place is looked at; '' for nothing. */
const obstacleOf = (element, surface, need) => {
  if (surface === null) return sightOf(element) === SEEN ? 'no box' : unseen(element);
  return need === 'enabled' && isDisabled(element) ? 'disabled' : '';
};

const clips = (element) => {
  const { overflowX, overflowY } = getComputedStyle(element);
  return overflowX !== 'visible' || overflowY !== 'visible';
};

/** Whether a point of an element lies outside a scrolling ancestor that cuts it off. */
const isCutOff = (element, point) => {
  const root = rootElementOf.call(document);
  for (let node = flatParent(element); node !== null && node !== root; node = flatParent(node)) {
    const rect = getBoundingClientRect.call(node);
    const outside = point.x < rect.left || point.x > rect.right || point.y < rect.top || point.y > rect.bottom;
    if (outside && clips(node)) return true;
  }
  return false;
};

const coversMiddle = (hit) => {
  const rect = getBoundingClientRect.call(hit);
  const middle = centre(viewportRect());
  return rect.left <= middle.x && middle.x <= rect.right && rect.top <= middle.y && middle.y <= rect.bottom;
};

/** Scrolling to the middle helps what is out of view, cut off, or under a bar at the edge of the window. */
const scrollHelps = (surface, cover) =>
  cover === null || isCutOff(surface, cover.point) || (cover.hit !== null && !coversMiddle(cover.hit));

const scrollToMiddle = (element) =>
  scrollIntoView.call(element, { block: 'center', inline: 'nearest', behavior: 'instant' });

const missed = (surface, cover) => {
  if (cover === null) return { error: 'out of reach' };
  if (letsThrough(surface) && mouseTaker(flatParent(surface)) === null) return { error: 'transparent' };
  return cover.hit === null ? { error: 'covered' } : { error: 'covered', by: describeElement(cover.hit) };
};

const MOST_IN_COVER = 50;

/** The numbers of what is listed in the outermost element around `hit` that does not hold what it covers. */
const listedOver = (hit, covered) => {
  const holders = new Set();
  for (let node = covered; node !== null; node = flatParent(node)) holders.add(node);
  let cover = hit;
  for (let node = hit; node !== null && !holders.has(node); node = flatParent(node)) cover = node;
  const listed = [cover, ...queryIn(cover, '*')].filter((element) => numbers.has(element));
  return listed.slice(0, MOST_IN_COVER).map(nidOf);
};

/** What is in the way, with what an agent may click there. */
const coveredLook = (surface, cover) => {
  const answer = missed(surface, cover);
  const over = answer.by === undefined ? [] : listedOver(cover.hit, surface);
  return over.length === 0 ? answer : { ...answer, over };
};

/** Aim, and once more after scrolling where that can help. */
const aimScrolling = (element, surface, state) => {
  const first = aim(element, surface);
  if (first.point !== undefined || state.scrolled || !scrollHelps(surface, first.cover)) return first;
  state.scrolled = true;
  scrollToMiddle(surface);
  return aim(element, surface);
};

/** Where to hover over what lets the mouse through: what it lies in may take that, and show it. */
const pointThrough = (surface, cover, need) =>
  (need === 'hover' && cover !== null && letsThrough(surface) ? cover.point : undefined);

/** Labels to click for a checkbox or radio button that is covered: of some, several lie in one place. */
const otherSurfaces = (element, surface) =>
  (isToggle(element, localNameOf.call(element)) ? labelsOf(element) : [])
    .filter((label) => label !== surface && isDrawn(label));

const lookAtSurface = (element, surface, state, need) => {
  const { point: met, cover } = aimScrolling(element, surface, state);
  const point = met ?? pointThrough(surface, cover, need);
  return point === undefined ? coveredLook(surface, cover) : { point, place: rounded(rectOf(surface)).join() };
};

/** One look at the element: {point, place} when a click would reach it, else {error, by?}. */
const look = (element, state, need) => {
  const surface = surfaceOf(element);
  const obstacle = obstacleOf(element, surface, need);
  if (obstacle !== '') return { error: obstacle };
  const seen = lookAtSurface(element, surface, state, need);
  if (seen.point !== undefined) return seen;
  const others = otherSurfaces(element, surface).map((label) => lookAtSurface(element, label, state, need));
  return others.find((one) => one.point !== undefined) ?? seen;
};

const hundredths = (value) => Math.round(value * 100) / 100;

const aimed = ({ point }, { scrolled }) => {
  const answer = { x: hundredths(point.x), y: hundredths(point.y) };
  if (scrolled) answer.scrolled = 1;
  return answer;
};

/** Frames for which an element has to stay where it is: an animation may be about to begin. */
const restOf = () => (getAnimations.call(document).length === 0 ? 1 : 2);

/** The time of animations: two frames of a machine that is busy may show the same moment. */
const animationTime = () => timelineTimeOf.call(timelineOf.call(document));

/** Looks before it is said to move: a page that was held up has no frames, however long that takes. */
const LEAST_LOOKS = 10;

/** Look in every frame until the element has been found at the same place for as long as it takes. */
const untilStill = async (nid, lookAt, wait) => {
  const end = now() + wait;
  const rest = restOf();
  const state = { scrolled: false };
  let before = null;
  let alike = 0;
  let shown = null;
  let isDrawn = true;
  for (let looks = 1; ; looks += 1) {
    const element = elementOf(nid);
    if (element === null) return { error: 'gone' };
    const seen = lookAt(element, state);
    if (seen.place === undefined || seen.place !== before) alike = 0;
    else if (rest === 1 || !isDrawn || animationTime() !== shown) alike += 1;
    if (alike === rest) return aimed(seen, state);
    before = seen.place ?? null;
    shown = animationTime();
    if (now() >= end && seen.error !== undefined) return seen;
    if (now() >= end && looks >= LEAST_LOOKS) return { error: 'moving' };
    isDrawn = await frame();
  }
};

/**
 * A promise of {x, y, scrolled?} or
 * {error: gone|hidden|disabled|no box|out of reach|transparent|covered|moving, by?, over?}; with `press` for a press
 * that follows, which may meet nothing else.
 */
const target = async (nid, { need = 'enabled', wait = 2000, press = false } = {}) => {
  const answer = await untilStill(nid, (element, state) => look(element, state, need), wait);
  if (press && answer.error === undefined) {
    const element = elementOf(nid);
    awaitPress(answer, (hit) => answersFor(hit, element), element);
  }
  return JSON.stringify(answer);
};
