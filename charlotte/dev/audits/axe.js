// What axe-core finds wrong with a document; its source has run before this. Contrast is a category of its own, and
// frames are asked each for itself, without the rules that are about whole pages. Reads only.
async ({ nid }) => {
  const MOST = 100; // elements of one rule
  const OF_PAGES = ['bypass', 'document-title', 'landmark-one-main', 'page-has-heading-one', 'region'];
  const off = ['color-contrast', ...(window === window.top ? [] : OF_PAGES)];

  const { axe } = globalThis;
  const { violations } = await axe.run(document, {
    elementRef: true, iframes: false, preload: false, resultTypes: ['violations'],
    rules: Object.fromEntries(off.map((rule) => [rule, { enabled: false }])),
  });

  const broken = violations.map(({ id, impact, help, nodes }) => ({
    rule: id, impact: impact ?? '', help, nids: nodes.slice(0, MOST).map(({ element }) => nid(element)),
  }));
  return JSON.stringify({ version: axe.version, broken });
}
