// Goal: phrases that read as a translation do not come back into what people read. Method: the text of files, line by
// line; each phrase lists the folders where it is already gone. To hold a phrase everywhere, give it EVERYWHERE.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { test } from 'node:test';

const ROOT = join(import.meta.dirname, '..');
const EVERYWHERE = ['src', 'web/src', 'docs', 'README.md', 'turnpike.example.yaml'] as const;
/** What people see of the program: the dashboard, the commands, the references. */
const SHOWN = [
  'web/src/pages',
  'web/src/shell',
  'web/src/forms',
  'src/cli/commands',
  'docs/reference',
  'README.md',
] as const;
/** Code whose comments, test names and messages have been read through. */
const READ_THROUGH = [
  'src/gateway',
  'src/dialects',
  'src/operations',
  'src/chat',
  'src/wire',
  'src/routing',
  'src/upstream',
  'src/limits',
  'src/providers',
  'src/probe',
  'src/billing',
  'src/catalog',
  'src/config',
  'src/demo',
  'src/storage',
  'src/core',
  'src/stats',
  'src/replay',
  'src/capture',
  'src/credentials',
  'src/telemetry',
  'src/api',
  'src/accounts',
  'src/members',
  'src/notify',
  'src/server',
  'src/app',
  'src/cli',
  'src/cli.ts',
] as const;
/** The same, with tests, benchmarks, scripts and the dashboard's parts. */
const TESTS_TOO = [
  ...READ_THROUGH,
  'bench',
  'scripts',
  'test/life',
  'test/money',
  'test/faults',
  'test/sdk',
  'test/support',
  'web/src/api',
  'web/src/components',
] as const;
const READ = new Set(['.ts', '.tsx', '.md', '.yaml']);
/** Decisions keep the words of their day. */
const LEFT_OUT = /(^|\/)(decisions|node_modules|dist)(\/|$)|plain-english/;

interface Phrase {
  readonly pattern: RegExp;
  /** What to write. */
  readonly better: string;
  readonly roots: readonly string[];
}

const PHRASES: readonly Phrase[] = [
  { pattern: /are not right\b/, better: 'what is wrong: `Incorrect email or password`', roots: EVERYWHERE },
  { pattern: /[Hh]as to mend|[Mm]end (it|the)\b|\bmended\b/, better: '`fix`', roots: SHOWN },
  { pattern: /renew(s)? itself/, better: '`reset`', roots: SHOWN },
  { pattern: /[Nn]othing fits|[Nn]o \w+ fits\b/, better: '`No matching …`', roots: EVERYWHERE },
  { pattern: /[Ww]hat binds/, better: '`Current limits`', roots: SHOWN },
  { pattern: /[Ww]here to\?/, better: '`Search or jump to…`', roots: EVERYWHERE },
  { pattern: /[Ff]orgotten the password/, better: '`Forgot password?`', roots: EVERYWHERE },
  { pattern: /[Oo]f a time that is over/, better: '`Past time range`', roots: EVERYWHERE },
  { pattern: /[Bb]orne by/, better: '`absorbed by`', roots: EVERYWHERE },
  {
    pattern: /kept bodies|bodies that .* kept|bodies are kept/,
    better: '`stored prompts and responses`',
    roots: SHOWN,
  },
  { pattern: /\bbe let go\b|\bis let go\b/, better: '`close`', roots: SHOWN },
  { pattern: /\bof one's own\b/, better: '`own`, `your own`', roots: SHOWN },
  {
    pattern: /\b[Ww]homever\b|\b[Ww]hom\b/,
    better: 'another sentence',
    roots: ['web/src/pages', 'web/src/shell', 'web/src/forms', 'docs/reference', 'README.md'],
  },
  { pattern: /[Ee]-mail/, better: '`email`', roots: SHOWN },
  { pattern: /[Tt]he way to the\b.*settings/, better: '`Change data retention`', roots: EVERYWHERE },
  { pattern: /\bgives back\b|[Gg]ive back/, better: '`return`, `refund`', roots: SHOWN },
  { pattern: /take(s|n)? back the|[Tt]ake back\b/, better: '`cancel`', roots: SHOWN },
  { pattern: /[Nn]obody is signed in/, better: '`You are not signed in`', roots: SHOWN },
  {
    pattern: /is no (id|month|amount|time|cursor|limit|budget|number)\b/,
    better: '`is not a …`',
    roots: ['web/src/shell', 'src/cli/commands', 'docs/reference', 'README.md'],
  },
  { pattern: /[Nn]othing listens/, better: '`Connection refused`', roots: SHOWN },
  { pattern: /beside a running/, better: '`with a running`', roots: EVERYWHERE },
  { pattern: /at this pace/, better: '`at this rate`', roots: EVERYWHERE },
  { pattern: /when absent/, better: '`default: …`', roots: SHOWN },
  { pattern: /[Mm]ake the operator/, better: '`Create admin account`', roots: EVERYWHERE },
  { pattern: /is not good\b/, better: '`is invalid`', roots: SHOWN },
  {
    pattern: /of late\b/,
    better: '`recent`',
    roots: ['web/src/shell', 'web/src/forms', 'src/cli/commands', 'docs/reference', 'README.md'],
  },
  { pattern: /the book of\b/, better: 'the thing itself', roots: EVERYWHERE },
  { pattern: /in the clear\b/, better: '`unencrypted`', roots: SHOWN },
  {
    pattern: /signs for thousands/,
    better: '`thousands separators`',
    roots: ['web/src/shell', 'web/src/forms', 'src/cli/commands', 'docs/reference', 'README.md'],
  },
  {
    pattern: /[Ww]hoever\b/,
    better: '`anyone who`, or the person',
    roots: ['web/src/pages', 'web/src/shell', 'web/src/forms', 'src/cli/commands', 'README.md'],
  },
  {
    pattern: /[Ss]omebody\b/,
    better: '`someone`, or the person',
    roots: ['web/src/forms', 'src/cli/commands', 'README.md'],
  },
  { pattern: /[Ee]verybody\b/, better: '`everyone`', roots: SHOWN },
  { pattern: /[Nn]obody\b/, better: '`no one`', roots: ['web/src/shell', 'web/src/forms', 'README.md'] },
  { pattern: /\b(told|tells?)\b/, better: '`report`, `return`, `show`, `distinguish`', roots: READ_THROUGH },
  { pattern: /\bhears?\b|\bmend(s|ed)?\b|\bwhom\b/, better: '`get`, `fix`, another sentence', roots: TESTS_TOO },
  { pattern: /\bbeside\b|\banew\b/, better: '`in addition to`, `with`, `again`', roots: READ_THROUGH },
  {
    pattern: /\b(that|which) is none\b|\bso (many|much) \w+ (and|of)\b/,
    better: '`invalid`, the number',
    roots: READ_THROUGH,
  },
  { pattern: /\b(look(s|ed)? (at|for)|let go)\b/, better: '`check`, `search`, `release`', roots: READ_THROUGH },
  {
    pattern: /\bof (one|its|a caller|the caller)['’]s own\b|\bone['’]s own\b/,
    better: '`its own`',
    roots: READ_THROUGH,
  },
  {
    pattern: /\bnobody knows\b|\bwhat binds\b|\bstands (in|at|for)\b/,
    better: '`unknown`, the limit, `is`',
    roots: READ_THROUGH,
  },
  { pattern: /says who\b/, better: 'another sentence', roots: SHOWN },
];

test('no phrase of the list is used where it is gone', () => {
  const found = PHRASES.flatMap(({ pattern, better, roots }) =>
    roots.flatMap((root) =>
      filesIn(root).flatMap((path) =>
        linesOf(path).flatMap((line, index) =>
          pattern.test(line) ? [`${path}:${index + 1}: write ${better}: ${line.trim().slice(0, 120)}`] : [],
        ),
      ),
    ),
  );
  assert.deepEqual(found, []);
});

const texts = new Map<string, readonly string[]>();

function linesOf(path: string): readonly string[] {
  const lines = texts.get(path) ?? readFileSync(join(ROOT, path), 'utf8').split('\n');
  texts.set(path, lines);
  return lines;
}

/** Paths of the texts in a folder, or the file itself. */
function filesIn(root: string): readonly string[] {
  if (READ.has(extname(root))) return [root];
  return readdirSync(join(ROOT, root), { recursive: true, encoding: 'utf8' })
    .map((name) => `${root}/${name.replaceAll('\\', '/')}`)
    .filter((path) => READ.has(extname(path)) && !LEFT_OUT.test(path));
}
