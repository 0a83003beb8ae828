// The colours of all text that is seen, and of what lies behind it and behind frames. Texts that look alike make
// one row. Reads only.
({ nid, tag, isSeen, roots, all, parent, attribute, getter }) => {
  const MOST_TEXTS = 20_000;
  const MOST_NAMED = 20;
  const CONTROLS = 'input, textarea, select';
  const PLAIN = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/;
  const parentElementOf = getter(Node.prototype, 'parentElement');
  const colours = new Map();
  const layers = new Map();
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });

  /** Any other notation of CSS, as a screen shows it. */
  const drawn = (css) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = css;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };

  const colourOf = (css) => {
    if (!colours.has(css)) {
      const plain = PLAIN.exec(css);
      colours.set(css, plain === null ? drawn(css) : [...plain.slice(1, 4).map(Number), Number(plain[4] ?? 1)]);
    }
    return colours.get(css);
  };

  /** {behind: from the element outwards to the first that lets nothing through, image: whether one is in between}. */
  const behind = (element) => {
    if (!(element instanceof Element)) return { behind: [], image: false, opacity: 1 };
    if (!layers.has(element)) {
      const style = getComputedStyle(element);
      const own = colourOf(style.backgroundColor);
      const outer = behind(parent(element));
      const image = style.backgroundImage !== 'none';
      const opaque = own[3] === 1 && !image;
      layers.set(element, {
        behind: own[3] === 0 ? outer.behind : opaque ? [own] : [own, ...outer.behind],
        image: image || (!opaque && outer.image),
        opacity: Number(style.opacity) * outer.opacity,
      });
    }
    return layers.get(element);
  };

  const isOff = (element) => Element.prototype.closest.call(element, ':disabled, [aria-disabled="true"]') !== null;

  const shown = (root) => {
    const found = new Map();
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null && found.size < MOST_TEXTS; node = walker.nextNode()) {
      const element = parentElementOf.call(node) ?? root.host;
      if (element instanceof Element && !found.has(element) && /\S/.test(node.data)) {
        found.set(element, node.data.replace(/\s+/g, ' ').trim());
      }
    }
    for (const control of all(root, CONTROLS)) if (control.value) found.set(control, String(control.value));
    return [...found];
  };

  const rows = new Map();
  let count = 0;

  const add = ([element, said]) => {
    if (['script', 'style', 'noscript', 'title', 'option'].includes(tag(element))) return;
    if (!isSeen(element) || isOff(element)) return;
    const style = getComputedStyle(element);
    const look = {
      ...behind(element), colour: colourOf(style.color),
      size: Number.parseFloat(style.fontSize), weight: Number.parseFloat(style.fontWeight) || 400,
    };
    const key = JSON.stringify(look);
    if (!rows.has(key)) rows.set(key, { ...look, count: 0, where: [] });
    const row = rows.get(key);
    row.count += 1;
    count += 1;
    const isSecret = attribute(element, 'type') === 'password';
    if (row.where.length < MOST_NAMED) row.where.push([nid(element), isSecret ? '' : said.slice(0, 60)]);
  };

  roots().flatMap(shown).forEach(add);
  const frames = roots().flatMap((root) => [...all(root, 'iframe, frame')]).map((frame) => [nid(frame), behind(frame)]);
  return JSON.stringify({ rows: [...rows.values()], count, frames: Object.fromEntries(frames) });
}
