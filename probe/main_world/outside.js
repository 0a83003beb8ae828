// What the page asks of the browser outside of its document: to print, and for files. A picker that opens while the probe
// gives files returns copies in the private file system of the site, so that the page cannot write to the files. What the
// page writes to such a copy, or to a file that it saves, is downloaded.
import { apply, dispatchEvent, Notice, onRequest, reportCalls, withTraps } from './native_wrappers.js';
import { expectWithin, forget, LONGEST, time } from './pending_work.js';

const globals = /** @type {any} */ (window);
globals.print = reportCalls(print, () => apply(dispatchEvent, document, [new Notice('charlotte:prints')]));

const GIVEN_FOR = 10_000; // ms
const TASK = 50; // ms that the page needs to use a file, and the browser to begin a download
const [OPEN, FOLDER, SAVE] = ['showOpenFilePicker', 'showDirectoryPicker', 'showSaveFilePicker'];
let givenUntil = 0;
onRequest('charlotte:gives', () => { givenUntil = time() + GIVEN_FOR; });

const isObserving = 'FileSystemObserver' in globals;
/** @type {any} */
let observer;
/** @param {any[]} records */
const download = (records) => records.forEach(async ({ changedHandle: file, type }) => {
  if (type !== 'modified' || file.kind !== 'file') return;
  const href = URL.createObjectURL(await file.getFile());
  Object.assign(document.createElement('a'), { href, download: file.name }).click();
});

/** @param {Promise<any>} folder @param {string[]} path @returns {Promise<any>} */
const enter = (folder, path) => path.reduce(async (outer, name) => (await outer).getDirectoryHandle(name, { create: true }), folder);

/** @param {object} properties @returns {Promise<any[]>} */
const choose = (properties) => new Promise((resolve, reject) => {
  givenUntil = 0;
  const input = Object.assign(document.createElement('input'), { type: 'file', ...properties });
  input.onchange = () => resolve([.../** @type {FileList} */ (input.files)]);
  input.oncancel = () => reject(new DOMException('The user aborted a request.', 'AbortError'));
  input.click();
});

/** @param {string} picker @param {any} options */
const pick = async (picker, options = {}) => {
  const isFolder = picker === FOLDER;
  const files = picker === SAVE ? [{ name: options.suggestedName ?? 'untitled' }]
    : await choose({ multiple: options.multiple === true, webkitdirectory: isFolder });
  expectWithin(LONGEST, files);
  const root = enter(navigator.storage.getDirectory(), ['.charlotte', crypto.randomUUID()]);
  const paths = files.map((file, index) => (isFolder ? file.webkitRelativePath.split('/').slice(0, -1) : [String(index)]));
  const handles = await Promise.all(files.map(async (file, index) => {
    const handle = await (await enter(root, paths[index])).getFileHandle(file.name.replace(/[\\/]/g, '_'), { create: true });
    if (picker !== SAVE) await file.stream().pipeTo(await handle.createWritable());
    return handle;
  }));
  if (isObserving) await (observer ??= new globals.FileSystemObserver(download)).observe(await root, { recursive: true });
  setTimeout(forget, TASK, files);
  if (isFolder) return enter(root, (paths[0] ?? []).slice(0, 1));
  return picker === OPEN ? handles : handles[0];
};

for (const picker of [OPEN, FOLDER, SAVE].filter((name) => name in globals && (name !== SAVE || isObserving))) {
  globals[picker] = withTraps(globals[picker], {
    apply: (native, self, args) => ((picker === SAVE ? navigator.userActivation.isActive : time() < givenUntil)
      ? pick(picker, args[0]) : apply(native, self, args)),
  });
}
