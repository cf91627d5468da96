/**
 * Goal: the dashboard is rebuilt when, and only when, its sources changed, and a failed build keeps the
 * previous one and does not prevent a start. Method: a project with a stand-in for Vite.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

interface Web {
  prepareWeb(folder: string): void;
  sourcesDigest(web: string): string;
  builtDigest(web: string): string | null;
}

const { prepareWeb, sourcesDigest, builtDigest } = (await import(
  pathToFileURL(join(import.meta.dirname, 'web.mjs')).href
)) as Web;
const root = mkdtempSync(join(tmpdir(), 'turnpike-web-'));
after(() => rmSync(root, { recursive: true }));

/** Copies what it finds in `src/main.tsx`, and fails where that says so. */
const VITE = `
  const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
  const text = readFileSync('src/main.tsx', 'utf8');
  if (text.includes('broken')) { console.error('main.tsx: unexpected token'); process.exit(1); }
  const out = process.argv[process.argv.indexOf('--outDir') + 1];
  mkdirSync(out, { recursive: true });
  writeFileSync(out + '/index.html', text);
`;

/** Of the Node that runs this test, whichever that is. */
const DIGESTS = JSON.stringify({
  [`${process.platform}-${process.arch}`]: {
    version: process.versions.node,
    sha256: createHash('sha256').update(readFileSync(process.execPath)).digest('hex'),
  },
});

function project(): { readonly folder: string; readonly web: string; write(name: string, text: string): void } {
  const folder = mkdtempSync(join(root, 'project-'));
  const web = join(folder, 'web');
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(web, name)), { recursive: true });
    writeFileSync(join(web, name), text);
  };
  write('package-lock.json', JSON.stringify({ packages: { '': {} } }));
  write('node_modules/.package-lock.json', JSON.stringify({ packages: {} }));
  write('node_modules/vite/bin/vite.js', VITE);
  write('index.html', '<html>');
  write('src/main.tsx', 'one');
  mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
  symlinkSync(process.execPath, join(folder, 'node_modules', '.bin', 'node'));
  mkdirSync(join(folder, 'scripts'));
  writeFileSync(join(folder, 'scripts', 'runtime-digests.json'), DIGESTS);
  return { folder, web, write };
}

test('it is built once, and again after a change', () => {
  const { folder, web, write } = project();
  const built = (): string => readFileSync(join(web, 'dist', 'index.html'), 'utf8');
  assert.equal(builtDigest(web), null);
  prepareWeb(folder);
  assert.equal(built(), 'one');
  assert.equal(builtDigest(web), sourcesDigest(web));
  writeFileSync(join(web, 'dist', 'index.html'), 'not built again');
  prepareWeb(folder);
  assert.equal(built(), 'not built again');
  write('src/main.tsx', 'two');
  prepareWeb(folder);
  assert.equal(built(), 'two');
});

test('files are compressed once, if that saves enough', () => {
  const { folder, web, write } = project();
  write('src/main.tsx', 'x'.repeat(5_000));
  prepareWeb(folder);
  const beside = (ending: string): Buffer => readFileSync(join(web, `dist/index.html${ending}`));
  assert.equal(brotliDecompressSync(beside('.br')).toString(), 'x'.repeat(5_000));
  assert.equal(gunzipSync(beside('.gz')).toString(), 'x'.repeat(5_000));
  write('src/main.tsx', 'short');
  prepareWeb(folder);
  assert.equal(existsSync(join(web, 'dist/index.html.br')), false);
});

test('a server that has a build needs none of the packages that it was made with; a type check does', () => {
  const { folder, web, write } = project();
  prepareWeb(folder);
  write(
    'package-lock.json',
    JSON.stringify({ packages: { '': {}, 'node_modules/gone': { version: '1.0.0', dev: true } } }),
  );
  writeFileSync(join(web, 'dist', '.stamp'), sourcesDigest(web));
  prepareWeb(folder);
  rmSync(join(web, 'node_modules'), { recursive: true });
  prepareWeb(folder);
  assert.equal(existsSync(join(web, 'node_modules')), false);
});

test('every file counts by its name and its content, tests do not', () => {
  const { web, write } = project();
  const before = sourcesDigest(web);
  write('src/format/money.test.ts', 'a test');
  assert.equal(sourcesDigest(web), before);
  write('src/format/money.ts', 'a');
  const added = sourcesDigest(web);
  assert.notEqual(added, before);
  rmSync(join(web, 'src/format/money.ts'));
  write('src/format/coins.ts', 'a');
  assert.notEqual(sourcesDigest(web), added);
});

test('a build that fails says why, and leaves the one before', () => {
  const { folder, web, write } = project();
  prepareWeb(folder);
  write('src/main.tsx', 'broken');
  assert.throws(() => prepareWeb(folder), /main\.tsx: unexpected token/);
  assert.equal(readFileSync(join(web, 'dist', 'index.html'), 'utf8'), 'one');
  assert.equal(existsSync(join(web, `dist.${process.pid}`)), false);
});
