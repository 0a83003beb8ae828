// What the document's origin has in localStorage, for a browser that has to be started again.
const MOST_STORED = 1_000_000; // characters; an origin that has more is not kept

/** @param {string} text */
const checksumOf = (text) => {
  let sum = 0;
  for (let at = 0; at < text.length; at += 1) sum = (sum * 31 + text.charCodeAt(at)) | 0;
  return sum;
};

const storedItems = () => {
  const items = [];
  let size = 0;
  for (let at = 0; at < localStorage.length; at += 1) {
    const name = localStorage.key(at) ?? '';
    const value = localStorage.getItem(name) ?? '';
    size += name.length + value.length;
    if (size > MOST_STORED) return null;
    items.push([name, value]);
  }
  return items;
};

/**
 * Origin and items, which are null when they are too many; nothing for an asker who knows just that.
 * @param {number} known
 */
export const stored = (known) => {
  try {
    const told = JSON.stringify({ origin: location.origin, items: storedItems() });
    const checksum = checksumOf(told);
    return checksum === known ? '' : JSON.stringify({ checksum, told });
  } catch {
    return ''; // a document of no origin may not store anything
  }
};
