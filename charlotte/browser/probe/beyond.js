// A page may have more to press than any answer shows: from the number of rows on that the caller says, interactive
// elements are only counted, by landmark and by what tells their type.

/** What has the focus is worth a row wherever it is. */
const isBeyond = (element) => pass.rows.length >= pass.most && element !== pass.active;

/** Count the element; returns the context for its contents. */
const countBeyond = (context, element, tag, role, editable) => {
  const typed = TYPED_BY_TAG.has(tag);
  const key = JSON.stringify([context.counts, role, typed ? tag : '', typed ? element.type : '', editable]);
  pass.beyond.set(key, (pass.beyond.get(key) ?? 0) + 1);
  return { ...context, inside: context.inside || role !== 'generic' };
};

/** [landmark, role, tag, type, editable, how many], …; tag and type only of input, select and textarea. */
const countedBeyond = () => Array.from(pass.beyond, ([key, many]) => [...JSON.parse(key), many]);
