// Tells the probe which elements are given a closed shadow root: afterwards no script can see that they have one. And
// which are given an open one when they are already in the document: no mutation tells of that.
const rootMode = Object.getOwnPropertyDescriptor(ShadowRoot.prototype, 'mode').get;

const { attachShadow } = Element.prototype;
Element.prototype.attachShadow = looksLike(attachShadow, {
  attachShadow(init) {
    const root = apply(attachShadow, this, arguments);
    noteDocument();
    if (apply(rootMode, root, []) === 'closed') {
      Marks.setClosedRoot(this, root);
      notify('charlotte:hides', { relatedTarget: this });
    } else if (apply(isIn, this, [])) notify('charlotte:opens', { relatedTarget: this });
    return root;
  },
}.attachShadow);
