// Builds the scripts that are shipped in charlotte/browser/probe. `--check` only compares them with the sources.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

const SOURCES = dirname(fileURLToPath(import.meta.url));
const BUNDLES = join(SOURCES, '..', 'charlotte', 'browser', 'probe');
const OPTIONS = Object.freeze({
  charset: 'ascii', // one other character would double the memory that the browser needs for the script
  legalComments: 'none',
  minifyIdentifiers: true,
  minifyWhitespace: true,
  target: 'chrome125',
});
const IS_SCRIPTLESS = "matchMedia('(scripting: none)').matches";

const bundle = async (entry) => {
  const result = await build({
    ...OPTIONS, bundle: true, entryPoints: [join(SOURCES, entry)], format: 'esm', write: false,
  });
  return result.outputFiles[0].text.trim();
};

const minify = async (file) =>
  (await transform(readFileSync(join(SOURCES, file), 'utf8'), { ...OPTIONS, format: 'esm' })).code.trim();

/** V8 compiles a function in parentheses at once; otherwise each new renderer parses it twice. */
const wrap = (body) => `(()=>{'use strict';${body}})();`;

const listSources = (folder = SOURCES) =>
  readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? listSources(join(folder, entry.name)) : [join(folder, entry.name)]))
    .filter((path) => path.endsWith('.js'))
    .sort();

/** The same hash as in tests/browser/probe/test_bundles.py. */
const hashSources = () => {
  const hash = createHash('sha256');
  for (const path of listSources()) {
    hash.update(`${relative(SOURCES, path)}\n`);
    hash.update(readFileSync(path));
  }
  return hash.digest('hex').slice(0, 16);
};

const bundles = {
  'isolated_world.bundle.js': async () => wrap(
    'if(globalThis.charlotte)return;'
    + `const createProbe=((publish)=>{${await bundle('isolated_world/index.js')}});`
    + await minify('isolated_world/installer.js'),
  ),
  'main_world.bundle.js': async () =>
    wrap(`if(${IS_SCRIPTLESS})return;${await bundle('main_world/index.js')}`),
  'late_listeners.bundle.js': async () => wrap(await bundle('main_world/late_listeners.js')),
};

const sources = hashSources();
for (const [name, create] of Object.entries(bundles)) {
  const text = `// Built by \`make probe\` from the sources ${sources}.\n${await create()}\n`;
  const path = join(BUNDLES, name);
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    console.error(`${relative(process.cwd(), path)} is not current: run \`make probe\`.`);
    process.exitCode = 1;
  }
}
