/**
 * Goal: every page can be found, and no link is dead. Method: the site of this repository is rendered in memory, and every
 * link of its pages is looked up among its pages and files.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { errorTable } from '../../src/core/errors.ts';
import { search } from '../src/docs/search.ts';
import { imageSize } from './image-size.ts';
import { menuOf } from './menu.ts';
import { readSite, siteHtml } from './site.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const TEMPLATE = '<html><!--docs:head--><link href="./assets/a.css"><body><!--docs:body--></body></html>';
const templates = { page: TEMPLATE, api: TEMPLATE, search: 'assets/search.json', version: '1.2.3' };
const site = readSite(ROOT);
const html = siteHtml(site, templates);
const ORIGIN = 'https://example.com/';
/** What else the server has. */
const ELSEWHERE = ['', 'assets/a.css', 'assets/search.json'];

const addressOf = (file: string): string => file.replace(/(\/index)?\.html$/, '');
const idsOf = new Map([...html].map(([file, text]) => [addressOf(file), idsIn(text)]));

describe('the site of this repository', () => {
  test('has a page for all Markdown below docs/, and for the pages at the root', () => {
    const below = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.md'),
    );
    assert.ok(below.length > 50);
    for (const file of ['README.md', 'CHANGELOG.md', 'bench/README.md', ...below.map((name) => `docs/${name}`)]) {
      assert.equal(site.files.get(file), readFileSync(join(ROOT, file), 'utf8'), 'its Markdown, as it stands');
      if (file !== 'docs/README.md')
        assert.ok(
          site.pages.some(({ twin }) => twin === file),
          file,
        );
    }
  });

  test('has no link that leads nowhere', () => {
    assert.deepEqual(site.deadLinks, []);
    const dead: string[] = [];
    for (const [file, text] of html) {
      if (file === 'docs/404.html') continue;
      for (const [, href = ''] of text.matchAll(/(?:href|src|data-search|data-source)="([^"]*)"/g)) {
        const { origin, pathname, hash } = new URL(href.replaceAll('&amp;', '&'), `${ORIGIN}${addressOf(file)}`);
        if (`${origin}/` !== ORIGIN) continue;
        const path = pathname.slice(1);
        const isThere = idsOf.has(path) || site.files.has(path) || ELSEWHERE.includes(path);
        if (!isThere || (hash !== '' && idsOf.get(path)?.has(decodeURIComponent(hash.slice(1))) !== true))
          dead.push(`${file}: ${href}`);
      }
    }
    assert.deepEqual(dead, []);
  });

  test('has a title, a description and one first heading on each page', () => {
    const titles = new Set<string>();
    for (const [file, text] of html) {
      assert.equal(text.match(/<h1/g)?.length, 1, file);
      const title = /<title>([^<]+)<\/title>/.exec(text)?.[1] ?? '';
      assert.match(title, /Turnpike docs$/, file);
      assert.ok(!titles.has(title), `${file}: another page is called ${title}, too`);
      titles.add(title);
      const description = /<meta name="description" content="([^"]+)"/.exec(text)?.[1] ?? '';
      assert.ok(description.length > 10 && description.length < 260, `${file}: ${description}`);
    }
  });

  test('has nothing inline that the content policy forbids, and an id once a page', () => {
    for (const [file, text] of html) {
      assert.doesNotMatch(text, /<[^>]+ style=|<style|<script(?![^>]*src)|<[^>]+ on\w+=|javascript:/, file);
      const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
      assert.equal(new Set(ids).size, ids.length, file);
    }
  });

  test('explains every error where the error says', () => {
    for (const code of Object.keys(errorTable)) assert.ok(idsOf.get('docs/reference/errors')?.has(code), code);
  });

  test('lists every page once in the menu, with what comes before and after it', () => {
    const listed = site.menu.flatMap(({ entries }) => entries.flatMap((entry) => [entry, ...entry.below]));
    assert.equal(new Set(listed.map(({ path }) => path)).size, listed.length);
    assert.deepEqual(
      listed.map(({ path }) => path).toSorted(),
      site.pages
        .map(({ path }) => path)
        .filter((path) => path !== 'docs')
        .toSorted(),
    );
    const limits = html.get('docs/guide/limits.html') ?? '';
    assert.match(limits, /<a href="limits" aria-current="page">/);
    assert.match(limits, /class="previous" href="[^"]+">.*class="next" href="[^"]+">/s);
  });

  test('is found by words that it does not use', () => {
    const paths = (question: string) => search(JSON.parse(site.index), question).map(({ path }) => path);
    assert.ok(paths('docker').slice(0, 3).includes('docs/guide/operations#in-a-container'));
    for (const question of ['lost key', 'I lost my keys', 'forgot key'])
      assert.equal(paths(question)[0], 'docs/reference/cli#keys-create', question);
    assert.match(paths('forgot password')[0] ?? '', /^docs\/reference\/cli#admin-reset/);
  });

  test('tells programs of every page, and where its Markdown is', () => {
    const llms = String(site.files.get('llms.txt'));
    assert.match(llms, /^# Turnpike\n\n> .+\n\n## Get started\n\n- \[/);
    for (const { path, twin } of site.pages)
      if (path !== 'docs') assert.ok(llms.includes(`({base}/${twin ?? path})`), path);
    assert.ok(
      String(site.files.get('llms-full.txt')).includes(String(site.files.get('docs/guide/limits.md')).trimEnd()),
    );
    // Every line ends with a whole sentence: nothing is cut.
    for (const line of llms.split('\n').filter((each) => each.startsWith('- [')))
      assert.doesNotMatch(line, /…$|[,:]$|At the end\W*$/, line);
    const allowed = [...String(site.files.get('robots.txt')).matchAll(/^Allow: (.+)$/gm)].map(([, path = '']) => path);
    for (const [, path = ''] of llms.matchAll(/\]\((\{base\}[^)]*)\)/g))
      assert.ok(
        allowed.some((each) => path === each || path.startsWith(`${each}/`)),
        `robots.txt forbids ${path}`,
      );
    assert.doesNotMatch(allowed.join('\n'), /^\{base\}\/?$/m);
    const limits = html.get('docs/guide/limits.html') ?? '';
    assert.match(limits, /<link rel="alternate" type="text\/markdown" [^>]*href="limits\.md"/);
  });

  test('keeps the place of a picture', () => {
    assert.match(html.get('docs/readme.html') ?? '', /<img src="[^"]*picture-call\.svg"[^>]* width="\d+" height="\d+"/);
  });
});

test('a link that leads nowhere is found: to a page, to a heading, to a picture', () => {
  const root = mkdtempSync(join(tmpdir(), 'turnpike-site-'));
  try {
    for (const [file, text] of Object.entries({
      'README.md': '# Turnpike\n\nA gateway, as words.\n\n[a](docs/guide/a.md#one) [x](docs/guide/x.md) [s](src/s.ts)',
      'src/s.ts': '',
      'docs/guide/a.md':
        '# A\n\nWords of A.\n\n## One\n\n[two](#two) ![p](p.png) [back](../../README.md#turnpike) [t](../../src/t.ts)',
    })) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), text);
    }
    assert.deepEqual(
      readSite(root).deadLinks.toSorted(),
      [
        'README.md: docs/guide/x.md',
        'docs/guide/a.md: #two',
        'docs/guide/a.md: ../../src/t.ts',
        'docs/guide/a.md: p.png',
      ].toSorted(),
    );
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('a new page is in the menu by itself; one outside of every group is a mistake', () => {
  const page = (path: string) => ({ path, title: path, description: '' });
  const menu = menuOf([
    page('docs/how-to/zebra'),
    page('docs/how-to/antelope'),
    page('docs/how-to/deploy-x'),
    page('docs/guide/limits'),
  ]);
  assert.deepEqual(
    menu.map(({ label, entries }) => [label, entries.map(({ path }) => path)]),
    [
      ['Guides', ['docs/guide/limits']],
      ['How-to', ['docs/how-to/antelope', 'docs/how-to/zebra']],
      ['Deploy', ['docs/how-to/deploy-x']],
    ],
  );
  assert.throws(() => menuOf([page('docs/elsewhere/x')]), /docs\/elsewhere\/x/);
});

function idsIn(text: string): Set<string> {
  return new Set([...text.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id));
}

test('favicon.ico holds the sizes that browsers ask for', () => {
  const bytes = readFileSync(join(ROOT, 'web', 'public', 'favicon.ico'));
  assert.deepEqual([bytes.readUInt16LE(0), bytes.readUInt16LE(2)], [0, 1]);
  const images = Array.from({ length: bytes.readUInt16LE(4) }, (_, at) => 6 + 16 * at);
  assert.deepEqual(
    images.map((at) => bytes[at]),
    [16, 32, 48],
  );
  for (const at of images) {
    const start = bytes.readUInt32LE(at + 12);
    const png = bytes.subarray(start, start + bytes.readUInt32LE(at + 8));
    assert.deepEqual(imageSize(png), { width: bytes[at], height: bytes[at] });
  }
  assert.ok(bytes.length < 4000);
});
