// Edits that a page may make to itself; each takes numbers and finds something they can be done to.
(() => {
  const RULES = [
    '.gone { display: none }', '.unseen { visibility: hidden }', '.block { display: block }',
    '.upper { text-transform: uppercase }', '.before::before { content: "before " }',
    '.gone + * { visibility: hidden }',
    ':checked ~ * { display: none }', 'div:has(:checked) p { visibility: hidden }', 'button { display: none }',
    '.block ~ p { display: none }', 'input:focus ~ * { visibility: hidden }', '.hand { cursor: pointer }',
    'p { white-space: pre }', 'span { display: block }', ':disabled + * { display: none }',
    'p:empty + * { display: none }', '.unseen * { visibility: visible }', 'details[open] ~ p { display: none }',
  ];
  const HTML = [
    '<button>New</button>', 'plain text', '<p>New <b>bold</b> words</p>', '<input aria-labelledby="a b" value="v">',
    '<label for="c">Label</label>', '<section aria-label="Part"><h2>Heading</h2><p>Text</p></section>',
    '<form aria-label="Form"><input name="q" placeholder="Ask"><button>Go</button></form>', '<a href="#x">Link</a>',
    '<ul><li>One</li><li><a href="#y">Two</a></li></ul>', '<div class="hand">Hand</div>',
    '<select><option>A</option><option>B</option></select>', '<details><summary>More</summary><p>Inner</p></details>',
    '<fieldset><legend>Group</legend><input type="checkbox" id="c"></fieldset>', '<span role="button">Role</span>',
    '<div style="height: 30px"></div>', '<table><caption>Cap</caption><tr><td>Cell</td><td>Two</td></tr></table>',
    '<div contenteditable>Edit me</div>', '<dialog aria-label="Ask"><p>Sure?</p><button>Yes</button></dialog>',
    '<div popover>Popped <a href="#p">out</a></div>', '<input type="checkbox"><span>after</span><p>and after</p>',
    '<pre>  kept\n  lines</pre>', '<template><p>no</p></template>', '<b slot="s">Slotted</b>', '<textarea>T</textarea>',
    '<iframe title="Frame" srcdoc="<p>Inside</p>"></iframe>', '<button>Sel<span class="gone">dom</span></button>',
    '<div onclick="1"><img alt="Cart" width="9" height="9"></div>',
    '<div role="row"><div role="cell">One</div> and <div role="cell"><ul><li>Two</li></ul></div></div>',
    '<article><h2>News</h2><ul><li>One<ol><li class="hand">Two</li></ol></li></ul></article>',
    '<label class="hand">Toggle <input type="checkbox" class="gone" id="c"><b>on</b></label>',
  ];
  const ATTRIBUTES = [
    ['class', ['gone', 'unseen', 'block', 'upper', 'before', 'hand', 'gone block']], ['id', ['a', 'b', 'c']],
    ['aria-label', ['Named', '']], ['aria-labelledby', ['a', 'b c']], ['title', ['Titled']],
    ['hidden', ['', 'until-found']],
    ['role', ['button', 'navigation', 'heading', 'none', 'group', 'checkbox', 'switch',
      'list', 'row', 'cell']], ['for', ['a', 'c']],
    ['style', ['display: none', 'visibility: hidden', 'display: block', 'cursor: pointer', 'content-visibility: hidden',
      'position: relative; left: 7px', 'display: contents']],
    ['aria-hidden', ['true', 'false']], ['inert', ['']], ['disabled', ['']], ['open', ['']], ['tabindex', ['0', '-1']],
    ['contenteditable', ['', 'false']], ['type', ['text', 'checkbox', 'password', 'submit', 'file', 'range']],
    ['value', ['written']], ['placeholder', ['Type here']], ['href', ['#1', 'https://x.test/']], ['slot', ['s', '']],
    ['aria-checked', ['true', 'mixed']], ['aria-expanded', ['true']], ['aria-describedby', ['a']], ['onclick', ['1']],
    ['aria-owns', ['a']], ['name', ['n']], ['form', ['f']], ['lang', ['de']], ['aria-level', ['3']], ['required', ['']],
    ['alt', ['Other', '']], ['colspan', ['2', '1']], ['rowspan', ['2', '1']],
  ];
  const PLACES = ['beforebegin', 'afterbegin', 'beforeend', 'afterend'];
  const pick = (list, n) => list[n % list.length];
  const below = (root) => Array.from(root.querySelectorAll('*')).flatMap(
    (element) => [element, ...(element.shadowRoot ? below(element.shadowRoot) : [])]);
  const any = (n) => pick([document.body, ...below(document.body)], n);
  const some = (css, n) => pick(below(document.body).filter((element) => element.matches(css)), n);
  const textsIn = (element) => Array.from(element.childNodes).filter((one) => one.nodeType === 3);
  const texts = () => below(document.body).flatMap(textsIn);
  const hosts = () => below(document.body).filter((element) => element.shadowRoot);
  const roots = () => [document, ...hosts().map((element) => element.shadowRoot)];
  const newRoot = (n, mode) => some('div,section,p,span', n).attachShadow({ mode });
  const sheet = (rule) => {
    const made = new CSSStyleSheet();
    made.replaceSync(rule);
    return made;
  };
  const styled = (rule) => Object.assign(document.createElement('style'), { textContent: rule });
  const EDITS = {
    text: (n, m) => { pick(texts(), n).data = pick(['changed', '', ' spaced  out ', 'one\ntwo'], m); },
    content: (n, m) => { any(n + 1).textContent = pick(['replaced', ''], m); },
    set: (n, m, k) => { const [name, values] = pick(ATTRIBUTES, m); any(n + 1).setAttribute(name, pick(values, k)); },
    drop: (n, m) => { const element = any(n + 1); element.removeAttribute(pick(element.getAttributeNames(), m)); },
    insert: (n, m, k) => { any(n + 1).insertAdjacentHTML(pick(PLACES, k), pick(HTML, m)); },
    remove: (n) => { any(n + 1).remove(); },
    move: (n, m) => { any(n).append(any(m + 1)); },
    before: (n, m) => { any(m + 1).before(any(n + 1)); },
    check: (n) => { const box = some('[type=checkbox]', n); box.checked = !box.checked; },
    mixed: (n) => { const box = some('[type=checkbox]', n); box.indeterminate = !box.indeterminate; },
    value: (n, m) => { some('input:not([type=file]),textarea', n).value = pick(['typed', ''], m); },
    select: (n) => { const list = some('select', n); list.selectedIndex = 1 - list.selectedIndex; },
    option: (n, m) => { some('select', n).options[0].label = pick(['Alpha', 'Omega'], m); },
    focus: (n) => { some('input,button,a,[tabindex]', n).focus(); },
    blur: () => { document.activeElement.blur(); },
    style: (n) => { document.head.append(styled(pick(RULES, n))); },
    unstyle: (n) => { pick(document.head.querySelectorAll('style'), n).remove(); },
    restyle: (n, m) => { pick(document.head.querySelectorAll('style'), n).firstChild.data = pick(RULES, m); },
    rule: (n, m) => { pick(document.styleSheets, n).insertRule(pick(RULES, m)); },
    unrule: (n) => { pick(document.styleSheets, n).deleteRule(0); },
    disable: (n) => { const one = pick(document.styleSheets, n); one.disabled = !one.disabled; },
    adopt: (n, m) => { pick(roots(), m).adoptedStyleSheets = [sheet(pick(RULES, n))]; },
    unadopt: (n) => { pick(roots(), n).adoptedStyleSheets = []; },
    attach: (n, m) => {
      const slots = '<slot name=s></slot><slot>Fallback</slot>';
      newRoot(n, 'open').innerHTML = `<p>Shadow</p>${slots}${pick(HTML, m)}`;
    },
    conceal: (n, m) => { newRoot(n, 'closed').innerHTML = `<p>Hidden</p><slot></slot>${pick(HTML, m)}`; },
    inside: (n, m) => { const root = pick(roots().slice(1), n); root.append(styled(pick(RULES, m))); },
    scroll: (n) => { scrollTo(0, n % 400); },
    scroller: (n, m) => {
      const element = any(n);
      element.style.cssText = 'overflow: auto; height: 40px';
      element.scrollTop = m;
    },
    modal: (n) => { some('dialog', n).showModal(); },
    close: (n) => { some('dialog', n).close(); },
    pop: (n) => { some('[popover]', n).togglePopover(); },
    animate: (n) => {
      const fading = [{ opacity: 0 }, { visibility: 'hidden' }];
      any(n).animate(fading, { duration: 1e6, fill: 'both' }).finish();
    },
    invalid: (n) => { some('input,select,textarea', n).setCustomValidity(n % 2 ? 'no' : ''); },
    quote: (n) => { document.documentElement.lang = pick(['en', 'de'], n); },
    listen: (n) => { any(n).addEventListener('click', () => {}); },
    title: (n) => { document.title = `Title ${n}`; },
  };
  const START = `<main id=a><h1>Start</h1><p>First <b>bold</b> <a href="#z">link</a> text</p>
    <div><input id=c type=checkbox><label for=c>Check</label><p>Beside</p><button>Press</button></div>
    <ul><li>Item</li><li><button aria-labelledby=a>Named</button></li></ul>
    <select><option>A</option><option>B</option></select></main><p id=b style="height: 1000px">Long</p>`;
  document.body.innerHTML = START;
  globalThis.edit = (edits) => {
    const done = [];
    for (const [name, n, m, k] of edits) {
      try {
        EDITS[name](n, m, k);
        done.push(name);
      } catch { /* nothing it can be done to */ }
    }
    return done;
  };
})();
