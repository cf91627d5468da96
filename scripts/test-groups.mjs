/**
 * Which test files of `npm test` share a process (`--test-isolation=none`). A file may where it leaves the process as it
 * found it. It has its own where it says `before` or `after` outside of `describe` (in a shared process they would hold for
 * every file), changes what belongs to the process, or lies in no folder of a group: tests of
 * the database, of time, of memory and of processes do.
 */
import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** About the same work in each group, so that the cores end together. */
const GROUPS = {
  'formats, rules and web': [
    'src/accounts',
    'src/billing',
    'src/capture',
    'src/catalog',
    'src/chat',
    'src/config',
    'src/core',
    'src/credentials',
    'src/dialects',
    'src/limits',
    'src/members',
    'src/notify',
    'src/operations',
    'src/probe',
    'src/providers',
    'src/replay',
    'src/routing',
    'src/stats',
    'src/telemetry',
    'src/wire',
    'test/golden',
    'web/src',
  ],
  'gateway and API': ['src/api', 'src/gateway'],
};
const HOOKS = /^import \{[^}]*\b(before|after|beforeEach|afterEach)\b[^}]*\} from 'node:test';$/m;
const CHANGES_PROCESS = [
  /\bprocess\.(on|once|chdir|umask|exitCode|emit|kill)\b/,
  /\bprocess\.env(\.\w+|\[[^\]]+\]) =[^=]|\bdelete process\.env/,
  /\b(globalThis|Date|Math|process\.std(out|err)|[A-Z]\w+\.prototype)\.\w+ =[^=]/,
  /\bmock\b/,
];

/** Gives each group that has files as `{ name, files }`, and the files that run alone. Paths are below `folder`. */
export function groupTests(folder, files) {
  const gathered = Object.entries(GROUPS).map(([name, folders]) => ({
    name,
    files: files.filter((file) => folders.some((one) => file.startsWith(join(one, sep))) && mayShare(folder, file)),
  }));
  const shared = new Set(gathered.flatMap((group) => group.files));
  return {
    gathered: gathered.filter((group) => group.files.length > 0),
    alone: files.filter((file) => !shared.has(file)),
  };
}

function mayShare(folder, file) {
  const source = readFileSync(join(folder, file), 'utf8');
  return !HOOKS.test(source) && !CHANGES_PROCESS.some((change) => change.test(source));
}
