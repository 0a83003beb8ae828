// The minimal description of a page for an agent: role, name and bounds of interactive and structural elements.
(() => {
  const SHOWN = new Set((
    'button link textbox searchbox combobox listbox checkbox radio switch slider spinbutton menuitem tab option '
    + 'ComboBoxSelect PopUpButton ToggleButton DisclosureTriangle heading banner navigation main complementary '
    + 'contentinfo form region search'
  ).split(' '));
  const found = [];
  const walk = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT);
  for (let element = walk.currentNode; element !== null; element = walk.nextNode()) {
    const role = element.computedRole;
    if (SHOWN.has(role)) {
      const { x, y, width, height } = element.getBoundingClientRect();
      if (width > 0) found.push([role, element.computedName, [x, y, width, height].map(Math.round)]);
    }
  }
  return JSON.stringify(found);
})()
