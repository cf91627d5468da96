/**
 * Goal: the documents say what the program does. Method: generated parts are generated again and
 * compared; tables written by hand are compared with the tables in the code; links and
 * examples are followed.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { fillSections } from '../scripts/build-reference/fill-sections.ts';
import { referencePages } from '../scripts/build-reference/reference-pages.ts';
import { isCharged } from '../src/billing/charge.ts';
import { knownModels } from '../src/catalog/models.ts';
import { commands } from '../src/cli/commands/index.ts';
import { configJsonSchema } from '../src/config/json-schema.ts';
import type { Ending } from '../src/core/settlement.ts';
import { watchedKeys } from '../src/dialects/anthropic-messages/peek/spelling.ts';
import { storedDataKeys } from '../src/dialects/openai-chat/peek/stored-data.ts';
import { chatRoutes } from '../src/gateway/routes.ts';
import { type PublicRouteParts, publicRoutes } from '../src/server/public-routes.ts';
import { endingCodes } from '../src/storage/sql/codes.ts';

const ROOT = resolve(import.meta.dirname, '..');
const pages = ['.', 'docs', 'docs/decisions', 'docs/guide', 'docs/how-to', 'docs/reference', 'bench'].flatMap(
  (folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
);

test('the generated tables match the code; scripts/build-reference.ts writes them anew', async () => {
  for (const [page, tables] of Object.entries(await referencePages())) {
    const published = read(`docs/${page}`);
    assert.equal(published, fillSections(published, tables), page);
  }
});

test('a part that nothing generates, and a table without a part, are errors', () => {
  const page = '<!-- generated: one -->\nold\n<!-- /generated -->';
  assert.equal(fillSections(page, { one: 'new' }), '<!-- generated: one -->\nnew\n<!-- /generated -->');
  assert.throws(() => fillSections(page, {}), /"one"/);
  assert.throws(() => fillSections(page, { one: 'new', two: 'lost' }), /two/);
});

test('a price is pinned of a model that the catalogue has', () => {
  const known = new Set(
    knownModels().flatMap(({ targets }) =>
      targets.map(({ provider, upstreamModel }) => `${provider} ${upstreamModel}`),
    ),
  );
  const pinned = pages.flatMap((page) =>
    [...read(page).matchAll(/turnpike models pin ([a-z]+) ([^\s`<]+)/g)].map(
      ([, provider, model]) => `${provider} ${model}`,
    ),
  );
  assert.ok(pinned.length >= 4, `${pinned.length} examples`);
  assert.deepEqual(
    pinned.filter((example) => !known.has(example)),
    [],
  );
});

test('every link between the pages leads to a file, and to a heading of it', () => {
  const broken: string[] = [];
  for (const page of pages) {
    for (const [, target = ''] of withoutCode(read(page)).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue;
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : relative(ROOT, resolve(ROOT, dirname(page), path));
      if (statSync(join(ROOT, file), { throwIfNoEntry: false }) === undefined) broken.push(`${page}: ${target}`);
      else if (anchor !== undefined && !anchorsOf(file).has(anchor)) broken.push(`${page}: ${target}`);
    }
  }
  assert.deepEqual(broken, []);
});

test('every proof has a row in the list of what is proven', () => {
  const rows = [...read('docs/guide/proof.md').matchAll(/^\| `([\w-]+)` \|(?: [^|]+ \|){3}$/gm)].map(
    ([, name]) => name,
  );
  const proofs = readdirSync(join(ROOT, 'test/prove')).flatMap((name) => /^(.+)\.prove\.ts$/.exec(name)?.[1] ?? []);
  assert.deepEqual(rows.toSorted(), proofs.toSorted());
});

test('the guide has a row for every ending, and says correctly whether it is charged', () => {
  const rows = new Map(
    [...read('docs/guide/endings.md').matchAll(/^\| `(\w+)` \|.* \| ([^|]+) \|$/gm)].map(([, ending = '', charge]) => [
      ending,
      charge,
    ]),
  );
  assert.deepEqual([...rows.keys()].sort(), Object.keys(endingCodes).sort());
  for (const ending of Object.keys(endingCodes) as Ending[]) {
    assert.equal(rows.get(ending), isCharged(ending) ? 'the cost' : 'nothing', ending);
  }
});

test('the glossary lists every ending', () => {
  const row = read('GLOSSARY.md')
    .split('\n')
    .find((line) => line.startsWith('| ending |'));
  for (const ending of Object.keys(endingCodes)) assert.ok(row?.includes(`\`${ending}\``), ending);
});

test('the reference of routes names every address that is served', () => {
  const words = new Set([...inCode(`${read('docs/reference/api.md')}\n${read('docs/reference/metrics.md')}`)]);
  const missing = servedPaths().filter((path) => !words.has(path));
  assert.deepEqual(missing, []);
});

test('the relay list names the nested fields that are searched for', () => {
  const words = inCode(read('docs/reference/relay-edits.md'));
  const missing = [...storedDataKeys, ...watchedKeys].filter((key) => !words.has(key));
  assert.deepEqual(missing, []);
});

test('the README counts the edits of the relay list', () => {
  const [, request, answer] = read('docs/reference/relay-edits.md').split(/^## (?:Request|Answer)$/m);
  const rows = `${request}\n${answer?.split(/^## /m)[0]}`.split('\n').filter((line) => line.startsWith('| `'));
  assert.ok(read('README.md').includes(`| ${rows.length} edits in all,`), `${rows.length} edits`);
});

test('the README counts the direct dependencies of package.json', () => {
  const { length } = Object.keys(JSON.parse(read('package.json')).dependencies);
  assert.ok(read('README.md').includes(`| ${length} direct runtime dependencies,`), `${length} dependencies`);
});

test('figures of upgrades are those of their proof', () => {
  const row =
    read('docs/guide/proof.md')
      .split('\n')
      .find((line) => /^\| `nodes-rolling` \| \d/.test(line)) ?? '';
  const [, shown = ''] = read('docs/how-to/upgrade-nodes.md').split('## Check that it works');
  const counts = [...shown.replaceAll('\n', ' ').matchAll(/([\d,]+) calls, none failed/g)].map(([, count]) => count);
  assert.equal(counts.length, 2);
  for (const count of counts) assert.ok(row.includes(`0 of ${count}`), `${count}: ${row}`);
});

test('the README names every command', () => {
  const words = [...inCode(read('README.md'))].join('\n');
  const missing = commands.filter(({ name }) => !words.includes(name)).map(({ name }) => name);
  assert.deepEqual(missing, []);
});

test('the reference of the configuration names every field of a provider, a model and a price', () => {
  const words = inCode(read('docs/reference/config.md'));
  const schema = configJsonSchema() as { properties: { providers: unknown } };
  const missing = [...fieldNames(schema.properties.providers)].filter((name) => !words.has(name));
  assert.deepEqual(missing, []);
});

/** Written from `src/core/errors.ts` as a whole. */
const GENERATED_PAGE = 'docs/reference/errors.md';

/** Ours, not the field's: what a native speaker stumbles over, and what to write instead. */
const PHRASES: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bbeside\b/i, '"in addition to", "with" or "next to"'],
  [/\blet go\b/i, '"closed" or "released"'],
  [/\bmend(s|ed|ing)?\b/i, '"fix"'],
  [/\bof one's own\b/i, '"your own" or "custom"'],
  [/\bthat (is|are) none\b/i, '"that is not a …"'],
  [/\bwhom\b/i, '"that …", or another sentence'],
  [/\bwhat binds\b/i, '"current limits" or "the limit that was reached"'],
  [/\bdear(er|est)\b/i, '"more expensive", "most expensive"'],
  [/\b(is|are|was|were) told\b/i, '"reported", "returned" or "shown"'],
  [/\bhears \d{3}/i, '"gets"'],
  [/\banew\b/i, '"again"'],
  [/\bborne\b/i, '"absorbed"'],
];

test('the documents say it in the usual words', () => {
  const handWrittenPages = pages.filter((page) => page !== GENERATED_PAGE);
  const found = handWrittenPages.flatMap((page) =>
    PHRASES.flatMap(([phrase, instead]) => {
      const [words] = handWritten(read(page)).match(phrase) ?? [];
      return words === undefined ? [] : [`${page}: "${words}": write ${instead}`];
    }),
  );
  assert.deepEqual(found, []);
});

const GUIDES = pages.filter((page) => /^docs\/(guide|how-to)\//.test(page));
/** As long as a description in the list of pages may be. */
const SUMMARY_MAX = 160;

test('each guide and how-to opens with a sentence that says what it is about', () => {
  const wrong = GUIDES.flatMap((page) => {
    const [, opening = ''] = read(page).split(/\n\n+/);
    const [sentence = ''] = opening.replaceAll('\n', ' ').split(/(?<=[.?:]) (?=[A-Z])/);
    const isSummary = !/^(For|At the end)\b/.test(sentence) && sentence.length <= SUMMARY_MAX;
    return isSummary && !opening.startsWith('1.') ? [] : [`${page}: ${sentence}`];
  });
  assert.deepEqual(wrong, []);
});

test('a guide or how-to that shortens the command to "turnpike" says what that stands for', () => {
  const silent = GUIDES.filter((page) => {
    const isShortened = /^(\$ )?turnpike [a-z]/m.test(read(page)) || /`turnpike [a-z]/.test(read(page));
    return isShortened && !/npx --no turnpike|turnpike` below stands for|local\/bin\/turnpike/.test(read(page));
  });
  assert.deepEqual(silent, []);
});

test('every decision is in the list of decisions', () => {
  const list = read('docs/decisions/README.md');
  const missing = readdirSync(join(ROOT, 'docs/decisions')).filter(
    (name) => /^\d{4}-/.test(name) && !list.includes(`(${name})`),
  );
  assert.deepEqual(missing, []);
});

function read(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

function withoutCode(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
}

/** Without code, and without what a script writes between its marks. */
function handWritten(markdown: string): string {
  return withoutCode(markdown.replace(/<!-- generated[\s\S]*?<!-- \/generated -->/g, ''));
}

/** Text between backquotes. */
function inCode(markdown: string): Set<string> {
  return new Set([...markdown.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code.replace(/^(GET|POST) /, '')));
}

/** As GitHub makes them: lower case, spaces to dashes, no other punctuation. */
function anchorsOf(page: string): Set<string> {
  const headings = [...withoutFences(read(page)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

function withoutFences(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```/gm, '');
}

/** The routes' own tables. Listing them needs nothing that handlers work with. */
function servedPaths(): string[] {
  const catalog = { all: () => [], get: () => undefined, named: () => [] };
  const gateway = { catalog, paidInAdvance: true } as unknown as Parameters<typeof publicRoutes>[0];
  const stats = {} as PublicRouteParts['stats'];
  const prices = { read: async () => null };
  const parts: PublicRouteParts = {
    reasons: () => [],
    nodeFacts: null,
    metricsToken: null,
    version: '0',
    publicUrl: null,
    pages: null,
    showsModels: true,
    stats,
    prices,
  };
  const { keyed, open } = publicRoutes(gateway, parts);
  return [
    ...chatRoutes.flatMap(({ path, aliases }) => [path, ...aliases]),
    ...[...keyed, ...open].flatMap(({ paths }) => paths).map((path) => path.replaceAll(/:(\w+)/g, '{$1}')),
  ];
}

/** The names of all fields below a JSON Schema. */
function* fieldNames(schema: unknown): Iterable<string> {
  if (typeof schema !== 'object' || schema === null) return;
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'properties') yield* Object.keys(value as object);
    yield* fieldNames(value);
  }
}
