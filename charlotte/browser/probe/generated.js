// Text that style sheets write before and after elements: innerText leaves it out. Which rules write any is
// read once from each sheet that may be read; what they write on an element is the browser's own answer.
const MAX_STYLED = 2_000;
const SPEAKING = /attr\(|"[^"]*[\p{L}\p{N}]/u;
const QUOTED = /"((?:[^"\\]|\\.)*)"/g;
const NO_TEXT = Object.freeze({ before: '', after: '' });
const writers = new WeakMap(); // style sheet → {count, selectors}

const selectorsOf = (rules) => {
  const found = [];
  for (const rule of rules) {
    const selector = rule.selectorText ?? '';
    const bare = selector.replaceAll(/::?(?:before|after)\b/g, '');
    if (bare !== selector && SPEAKING.test(rule.style.content)) found.push(bare);
    if (rule.cssRules?.length > 0) found.push(...selectorsOf(rule.cssRules));
  }
  return found;
};

/** The rules of a sheet; those of another origin are kept from us. */
const rulesOf = (sheet) => {
  try {
    return sheet.cssRules;
  } catch {
    return [];
  }
};

const selectorsIn = (sheet) => {
  const rules = rulesOf(sheet);
  const known = writers.get(sheet);
  if (known?.count === rules.length) return known.selectors;
  const selectors = selectorsOf(rules);
  writers.set(sheet, { count: rules.length, selectors });
  return selectors;
};

const writtenText = (element, where) => {
  const { content, visibility, opacity, display } = getComputedStyle(element, `::${where}`);
  if (!content.startsWith('"') || visibility !== 'visible' || opacity === '0' || display === 'none') return '';
  const [spoken] = content.split('" / ');
  const text = Array.from(`${spoken}"`.matchAll(QUOTED), ([, quoted]) => quoted.replace(/\\(.)/g, '$1')).join('');
  return /[\p{L}\p{N}]/u.test(text) ? text : '';
};

const noteGeneratedBy = (element) => {
  if (pass.styled >= MAX_STYLED) return;
  pass.styled += 1;
  const text = { before: writtenText(element, 'before'), after: writtenText(element, 'after') };
  if (text.before !== '' || text.after !== '') pass.generated.set(element, text);
};

const matching = (root, selector) => {
  try {
    return queryAll(root, selector);
  } catch {
    return []; // nothing is left of some selectors without their pseudo-element
  }
};

const noteGenerated = (root) => {
  for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) {
    for (const selector of selectorsIn(sheet)) matching(root, selector).forEach(noteGeneratedBy);
  }
};

const generatedBy = (element) => pass.generated.get(element) ?? NO_TEXT;
