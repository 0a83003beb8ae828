// The options of native list boxes, which the tree tells one by one: they can be seen and clicked where they are.
const isListBox = (element, tag) => tag === 'select' && nativeRole(element, tag) === 'listbox';

const optionFacts = (option) => {
  const facts = { role: 'option', name: optionText(option) };
  if (option.selected) facts.selected = true;
  if (isDisabled(option)) facts.disabled = 1;
  return facts;
};

const groupFacts = (group) => ({ role: 'group', name: collapse(group.label) });

const surveyOptions = (parent, depth) => {
  for (let child = firstElementOf.call(parent); child !== null; child = nextElementOf.call(child)) {
    const tag = localNameOf.call(child);
    if ((tag !== 'option' && tag !== 'optgroup') || sightOf(child) !== SEEN) continue;
    if (depth > pass.maxDepth) {
      pass.cut = 1;
      return;
    }
    pass.rows.push([depth, tag, nidOf(child), tag === 'option' ? optionFacts(child) : groupFacts(child)]);
    if (tag === 'optgroup') surveyOptions(child, depth + 1);
  }
};
