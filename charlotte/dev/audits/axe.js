// Runs axe-core in one document; the engine's source precedes this script. Reads only. Subframes run by themselves,
// without the rules about whole pages.
async ({ nid, roots, all, parent, attribute }, { contrast, behind }) => {
  const MOST = 1000; // elements of one rule
  const OF_PAGES = [
    'aria-hidden-body', 'bypass', 'document-title', 'html-has-lang', 'landmark-one-main', 'meta-viewport',
    'meta-viewport-large', 'page-has-heading-one', 'region',
  ];
  const { axe } = globalThis;

  axe.configure({
    checks: [
      {
        id: 'focusable', evaluate: (element, options, node) => node.isFocusable,
        metadata: { impact: 'serious', messages: { pass: 'Focusable', fail: 'Not focusable' } },
      },
      {
        id: 'named-by-more', metadata: { impact: 'moderate', messages: { pass: 'Named', fail: 'Named by placeholder' } },
        evaluate: (element, options, node) =>
          axe.commons.text.accessibleTextVirtual(node).trim() !== attribute(element, 'placeholder').trim(),
      },
    ],
    rules: [
      {
        id: 'focusable', selector: '[role=button], [role=link], [role=checkbox], [role=switch]', any: ['focusable'],
        metadata: { help: 'Controls must be reachable with the keyboard, for example by tabindex=0' },
      },
      {
        id: 'placeholder-label', selector: 'input[placeholder], textarea[placeholder]', any: ['named-by-more'],
        metadata: { help: 'Fields must have a label, as a placeholder disappears during typing' },
      },
    ],
  });

  /** Answers as if the root had the background behind the frame of this document. */
  const styleOnGround = (original) => (element, pseudo) => {
    const style = original(element, pseudo);
    if (element !== document.documentElement || pseudo) return style;
    const value = (name) => behind[name] ?? style.getPropertyValue(name);
    return new Proxy(style, {
      get: (_, name) => (name === 'getPropertyValue' ? value : behind[name] ?? style[name]),
    });
  };

  const isTransparent = (element) => {
    const style = getComputedStyle(element);
    return style.backgroundImage === 'none' && /^rgba\(.*, 0\)$/.test(style.backgroundColor);
  };

  const onGround = async (work) => {
    const original = globalThis.getComputedStyle;
    const { documentElement, body } = document;
    if (behind && [documentElement, body].every((one) => one === null || isTransparent(one))) {
      globalThis.getComputedStyle = styleOnGround(original);
    }
    try {
      return await work();
    } finally {
      globalThis.getComputedStyle = original;
    }
  };

  /** The background behind a frame: the first opaque one around it with all in front of that. */
  const ground = (frame) => {
    const { Color, flattenColors, getOwnBackgroundColor } = axe.commons.color;
    const layers = [];
    for (let one = frame; one instanceof Element && layers[0]?.alpha !== 1; one = parent(one)) {
      const style = getComputedStyle(one);
      if (style.backgroundImage !== 'none') return { 'background-image': 'url()' };
      layers.unshift(getOwnBackgroundColor(style));
    }
    const colour = layers.reduce((below, layer) => flattenColors(layer, below), new Color(255, 255, 255, 1));
    return { 'background-color': colour.toHexString() };
  };

  const grounds = () => {
    const frames = roots().flatMap((root) => [...all(root, 'iframe, frame')]);
    return Object.fromEntries(frames.map((frame) => [nid(frame), ground(frame)]));
  };

  const off = ['color-contrast', ...(window === window.top ? [] : OF_PAGES)].map((rule) => [rule, { enabled: false }]);
  const rules = Object.fromEntries([...off, ['duplicate-id', { enabled: true }]]);
  const options = contrast
    ? { runOnly: ['color-contrast'], resultTypes: ['violations', 'passes', 'incomplete'] }
    : { rules, resultTypes: ['violations'] };

  return onGround(async () => {
    const found = await axe.run(document, { elementRef: true, iframes: false, preload: false, ...options });
    const broken = found.violations.map(({ id, impact, help, nodes }) => ({
      rule: id, impact: impact ?? '', count: nodes.length,
      elements: nodes.slice(0, MOST).map(({ element, any }) => [nid(element), contrast ? any[0].message : help]),
    }));
    const count = (results) => results.reduce((sum, { nodes }) => sum + nodes.length, 0);
    const unknown = count(found.incomplete);
    return JSON.stringify({
      broken, unknown, texts: unknown + count(found.passes) + count(found.violations),
      grounds: contrast ? grounds() : {},
    });
  });
}
