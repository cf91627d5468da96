/**
 * Which test files of `npm test` share a process (`run-test-files.mjs`), and the order in which processes start. A file
 * shares one if it leaves the process as it found it. It has its own if it changes process-wide state, or
 * if it measures: time, memory, work, CPU use.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whose files share processes: each file is in the group of the first matching prefix. The longest run first, and the shortest last, so that
 * none runs alone at the end.
 */
const GROUPS = [
  // Four of similar length: a process that uses the browser and the program costs more than a second to start.
  ['test/browser/pages-desk', 'test/browser/l', 'test/browser/m', 'test/browser/provider-o'],
  ['test/browser/pages-phone', 'test/browser/comparisons', 'test/browser/content', 'test/browser/f', 'test/browser/j'],
  [
    ...['test/browser/sub-path', 'test/browser/b', 'test/browser/d', 'test/browser/k', 'test/browser/usage'],
    ...['test/browser/rates', 'test/browser/route'],
  ],
  ['test/browser/'],
  ['test/nodes/', 'test/database-canary'],
  ['test/faults/'],
  [
    'test/life/c',
    'test/life/figures',
    'test/life/ledger',
    'test/life/p',
    'test/life/r',
    'test/life/sub-path',
    'test/life/time-limits',
  ],
  ['test/life/'],
  ['test/money/'],
  [
    'bench/',
    'scripts/',
    'test/canary',
    'test/clouds/',
    'test/linear-p',
    'test/losses/',
    'test/prove/',
    'test/support/',
  ],
  ['src/storage/sqlite/reports/', 'src/storage/sqlite/records/'],
  // Three, so that tests that wait for a server never run alone.
  ['src/storage/postgres/open-', 'src/storage/postgres/stored-calls'],
  ['src/storage/postgres/'],
  ['src/storage/'],
  ['test/dashboard/', 'test/bad-input/'],
  ['src/api/', 'src/server/', 'src/cli/'],
  ['src/gateway/', 'src/upstream/', 'src/demo/'],
  ['test/sdk/'],
  ['test/translate/', 'test/stats/'],
  ['src/dialects/', 'test/golden/'],
  ['src/', 'web/docs/', 'web/src/'],
  ['test/'],
];
/** These have a separate process each, the longest first. Files not listed here come after them. */
const ALONE = [
  'test/life/memory',
  'test/life/first-run',
  'test/cli/money',
  'test/money/disk-faults',
  'test/browser/speed',
  'test/linear-work',
  'test/money/kill-loop',
  'test/faults/proxies',
  'test/life/load',
  'test/life/idle',
  'test/life/figures',
  'scripts/make-traffic.test',
  'test/cli/',
  'scripts/run-demo',
  'bench/pinned-process',
  'bench/memory-walk',
  'bench/system-calls',
];
const CHANGES_PROCESS = [
  /(?<![.\w])process\.(on|once|chdir|umask|exitCode|emit|kill)\b/,
  /\bprocess\.env(\.\w+|\[[^\]]+\]) =[^=]|\bdelete process\.env/,
  /\b(globalThis|Date|Math|process\.std(out|err)|[A-Z]\w+\.prototype)\.\w+ =[^=]/,
  /\bmock\b/,
];

/** Returns the files of each process as `{ name, files }`, in the order to start them. Paths are below `folder`, with `/`. */
export function groupTests(folder, files) {
  const groups = GROUPS.map((beginnings) => ({ name: beginnings.join(', '), files: [] }));
  const alone = [];
  for (const file of files) {
    const at = GROUPS.findIndex((beginnings) => beginsWithOne(beginnings, file));
    if (at !== -1 && !beginsWithOne(ALONE, file) && mayShare(folder, file)) groups[at].files.push(file);
    else alone.push({ name: file, files: [file] });
  }
  const shared = groups.filter((group) => group.files.length > 0);
  return dealt(
    alone.sort((one, other) => rank(one.name) - rank(other.name)),
    shared,
  );
}

function mayShare(folder, file) {
  const source = readFileSync(join(folder, file), 'utf8');
  return !CHANGES_PROCESS.some((change) => change.test(source));
}

function beginsWithOne(beginnings, file) {
  return beginnings.some((beginning) => file.startsWith(beginning));
}

function rank(file) {
  const at = ALONE.findIndex((beginning) => file.startsWith(beginning));
  return at === -1 ? ALONE.length : at;
}

/** One of each in turn, so that browsers do not all run at the same time and what takes long does not come last. */
function dealt(some, others) {
  return Array.from({ length: Math.max(some.length, others.length) }, (_, at) => [some[at], others[at]])
    .flat()
    .filter((one) => one !== undefined);
}
