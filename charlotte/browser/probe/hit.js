// What a click at a point would reach.
const flatParent = (node) => assignedSlotOf.call(node) ?? hostOrParent(parentNodeOf.call(node));

const hostOrParent = (parent) => {
  if (parent instanceof ShadowRoot) return parent.host;
  return parent instanceof Element ? parent : null;
};

/** The innermost element at a point, through open shadow roots. */
const elementAt = (x, y) => {
  let found = elementFromPoint.call(document, x, y);
  for (let root = found && rootOf(found); root; root = rootOf(found)) {
    const inner = root.elementFromPoint(x, y);
    if (inner === null || inner === found) break;
    found = inner;
  }
  return found;
};

/** Whether a click on `hit` is a click on `element`: it lies inside, or in a label of it. */
const answersFor = (hit, element) => {
  for (let node = hit; node !== null; node = flatParent(node)) {
    if (node === element || (node instanceof HTMLLabelElement && node.control === element)) return true;
  }
  return false;
};

const CONTROLS = 'a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=checkbox],[role=switch]';

/** Whether a click on `hit` would be one on another control that lies inside of `element`. */
const isInnerControl = (hit, element) => {
  const control = closest.call(hit, CONTROLS);
  return control !== null && control !== element && contains.call(element, control);
};

const centre = (rect) => ({ x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 });

const QUARTERS = [[0.25, 0.25], [0.75, 0.75], [0.25, 0.75], [0.75, 0.25]];

/** Where to try: the centre, then halfway to the corners. */
const pointsIn = (rect) => [
  centre(rect),
  ...QUARTERS.map(([right, down]) => ({ x: rect.x + right * rect.width, y: rect.y + down * rect.height })),
];

/** The first point, in the largest visible part, that answers for the element and not for a control in it, else what covers it. */
const aim = (element, surface) => {
  let cover = null;
  let second = null;
  for (const point of visibleRects(surface).flatMap(pointsIn)) {
    const hit = elementAt(point.x, point.y);
    if (hit === null || !answersFor(hit, element)) cover ??= { hit, point };
    else if (isInnerControl(hit, element)) second ??= point;
    else return { point };
  }
  return second === null ? { cover } : { point: second };
};
