// A press that is aimed at an element has to meet it, but a page may move while the press is on its way. One that
// would meet something else is kept from the page, and told.
const PRESSES = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'dblclick', 'contextmenu'];
const NEAR = 2; // px that events differ at most from the point they were sent to
const ON_ITS_WAY = 5000; // ms after which a press is none of ours
let awaited = null;

/** `answers(hit)` says whether what a press at that point meets is what it was meant for. */
const awaitPress = (point, answers) => {
  awaited = { point, answers, met: null, end: now() + ON_ITS_WAY };
};

const isAwaited = ({ clientX, clientY }) =>
  now() < awaited.end && Math.abs(clientX - awaited.point.x) <= NEAR && Math.abs(clientY - awaited.point.y) <= NEAR;

const judge = (event) => {
  if (awaited.met !== null) return;
  const hit = elementAt(event.clientX, event.clientY);
  awaited.met = hit !== null && awaited.answers(hit);
};

const onPress = (event) => {
  if (awaited === null || !event.isTrusted) return;
  if (event.type === 'pointerdown') {
    if (isAwaited(event)) judge(event);
    else awaited = null;
  }
  if (awaited?.met !== false) return;
  event.preventDefault();
  event.stopImmediatePropagation();
};

for (const type of PRESSES) window.addEventListener(type, onPress, true);

/** {met: whether the press met what it was meant for}; true too when none has come. */
const met = () => {
  const missed = awaited?.met === false;
  awaited = null;
  return JSON.stringify({ met: !missed });
};
