/**
 * House rules as tests: goal, that the shape of the project stays what ARCHITECTURE.md says;
 * method, reading the sources as text. Each failure names what to do instead.
 */
import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { test } from 'node:test';
import { DIALECT_FILES, DIALECT_FOLDERS, type DialectRole } from './support/dialect-files.ts';

const ROOT = resolve(import.meta.dirname, '..');
const SOURCE = join(ROOT, 'src');

/** What the data plane and the control plane both build on. */
const BELOW_THE_PLANES = [
  'wire',
  'chat',
  'telemetry',
  'upstream',
  'accounts',
  'members',
  'credentials',
  'limits',
  'replay',
  'response-cache',
  'stats',
  'dialects',
  'operations',
  'providers',
  'catalog',
  'byok',
  'routing',
  'billing',
  'nodes',
  'capture',
  'files',
  'batches',
  'notify',
] as const;

/** Which folders of `src` each folder may import; everything may import itself and `core`. `cli.ts` belongs to `cli`. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  wire: [],
  chat: [],
  telemetry: [],
  upstream: [],
  accounts: [],
  members: [],
  credentials: [],
  limits: [],
  replay: [],
  'response-cache': [],
  stats: [],
  dialects: ['chat', 'wire'],
  operations: ['chat', 'dialects'],
  providers: ['dialects', 'wire'],
  catalog: ['providers', 'dialects'],
  byok: ['catalog', 'providers', 'routing'],
  routing: ['catalog', 'providers'],
  billing: ['catalog'],
  nodes: ['accounts', 'billing', 'catalog', 'limits', 'telemetry'],
  capture: [],
  files: [],
  batches: ['files', 'wire', 'dialects', 'operations'],
  notify: [],
  probe: ['providers', 'upstream'],
  storage: [
    'accounts',
    'billing',
    'byok',
    'capture',
    'catalog',
    'credentials',
    'files',
    'batches',
    'limits',
    'members',
    'nodes',
    'replay',
    'stats',
  ],
  gateway: BELOW_THE_PLANES,
  api: [...BELOW_THE_PLANES, 'probe'],
  demo: ['wire', 'dialects'],
  config: ['accounts', 'catalog', 'chat', 'dialects', 'providers', 'upstream'],
  server: [...BELOW_THE_PLANES, 'gateway', 'api'],
  app: [...BELOW_THE_PLANES, 'probe', 'storage', 'gateway', 'api', 'demo', 'config', 'server'],
  cli: [
    ...['accounts', 'billing', 'byok', 'catalog', 'nodes', 'providers', 'response-cache', 'storage'],
    ...['gateway', 'api', 'config', 'app'],
  ],
};

/** By the file that declares what was once called that: names for which the field has better words. */
const FORMER_NAMES: Readonly<Record<string, readonly string[]>> = {
  'accounts/bad-key-limiter.ts': ['Guessing', 'GuessingRate', 'guessing'],
  'accounts/key-registry.ts': ['KeyBook', 'keyBook'],
  'accounts/scope-registry.ts': ['ScopeBook', 'scopeBook'],
  'billing/bank.ts': ['beyondBooks', 'secure'],
  'billing/maintenance-ports.ts': ['Books', 'books'],
  'capture/capture-recorder.ts': ['CaptureBook'],
  'catalog/provider-registry.ts': ['ProviderBook', 'makeOffer'],
  'catalog/serving-snapshot.ts': ['Offer', 'offer'],
  'core/dense-set.ts': ['Roster', 'Listed', 'NOWHERE'],
  'core/turns/turn-queue.ts': ['Cohort', 'Member', 'proceed'],

  'gateway/arrival/tarpit.ts': ['BadKeyWait', 'badKeyWait', 'TurnedAway'],
  'gateway/end/await-delivery.ts': ['handOver', 'endInPieces'],
  'limits/limiter.ts': ['takeBack', 'settle'],
  'limits/sliding-window.ts': ['takeBack'],
  'members/background-work.ts': ['Afterwards', 'afterwards'],
  'members/sign-in-services.ts': ['Entrance', 'entrance'],
  'providers/credential-test.ts': ['echoTest', 'isEcho'],
  'providers/provider.ts': ['Habits', 'habits'],
  'replay/replay-registry.ts': ['ReplayBook'],
  'stats/pending-first-reader.ts': ['RecentFirst'],
  'storage/sqlite/engine/erase-refused-commit.ts': ['takenBack', 'takeBack'],
  'upstream/body-collector.ts': ['Gathering', 'gathering'],
  'upstream/send-in-slices.ts': ['inTurns'],
};
const LINES_MAX = 400;
/** Without tests and fixtures. */
const FILES_MAX = 30;
const FILES_OF_DIALECTS_MAX = 30;
const FORBIDDEN_NAMES = /(^|[-/])(utils?|helpers?|common|misc|manager|service)\.ts$/;

/** The member that says that a dialect has a role. */
const ROLE_MARKS: Readonly<Record<DialectRole, string>> = {
  caller: 'readRequest',
  provider: 'writeRequest',
  relay: 'patchRequest',
};

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

test('imports follow the import table: a folder imports only from the rows below it', () => {
  const wrong: string[] = [];
  for (const { from, to, typeOnly } of internalImports()) {
    const [fromRoom, toRoom] = [roomOf(from), roomOf(to)];
    if (fromRoom === toRoom || toRoom === 'core' || isTest(from)) continue;
    if (!MAY_IMPORT[fromRoom]?.includes(toRoom)) {
      wrong.push(
        `${from} imports ${to}: ${fromRoom} may import core, ${MAY_IMPORT[fromRoom]?.join(', ') || 'nothing else'}; move the code down or pass it in`,
      );
    } else if (fromRoom === 'storage' && (!to.endsWith('ports.ts') || !typeOnly)) {
      wrong.push(`${from} imports ${to}: storage takes types only, from ports.ts`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('the import table has no cycle and no row without a folder', () => {
  const rooms = Object.keys(MAY_IMPORT);
  assert.deepEqual(
    rooms.filter((room) => !exists(join(SOURCE, room))),
    [],
    'the row goes with its folder',
  );
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    (MAY_IMPORT[from] ?? []).some((next) => {
      if (next === to) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, to, seen);
    });
  assert.deepEqual(
    rooms.filter((room) => reaches(room, room)),
    [],
    'an arrow of these points up',
  );
});

test('no files import each other in a cycle, not even types', () => {
  const graph = new Map<string, string[]>();
  for (const { from, to } of internalImports()) if (!isTest(from)) graph.set(from, [...(graph.get(from) ?? []), to]);
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file) || path.includes(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  assert.deepEqual(circles, [], 'move what both sides need into a file of its own');
});

test('a call imports none of its steps', () => {
  const imports = internalImports();
  const call = join('src', 'gateway', 'call.ts');
  const below = imports.filter(({ from, to }) => from === call && roomOf(to) === 'gateway').map(({ to }) => to);
  assert.ok(below.length > 0);
  const wrong = imports.filter(
    ({ from, to }) => below.includes(from) && (to === call || to === join('src', 'gateway', 'phases.ts')),
  );
  assert.deepEqual(wrong, [], 'take as much of a call as is needed, as an interface of its own (decision 0035)');
});

test('each family has an interface, an explicit table, a contract', () => {
  const families: Readonly<Record<string, readonly string[]>> = {
    dialects: ['dialect.ts', 'index.ts', 'contract.ts'],
    operations: ['operation.ts', 'index.ts', 'contract.ts'],
    providers: ['provider.ts', 'index.ts', 'contract.ts'],
    storage: ['storage.ts', 'index.ts', 'contract.ts'],
  };
  const missing = Object.entries(families).flatMap(([family, files]) =>
    files.filter((file) => !exists(join(SOURCE, family, file))).map((file) => `src/${family}/${file}`),
  );
  assert.deepEqual(missing, []);
});

test('a dialect has the files of its roles, by the same names as every other', () => {
  const wrong = dialectFolders().flatMap((dialect) => {
    const member = readSource(join('src', 'dialects', dialect, `${dialect}.ts`));
    const roles = (Object.keys(DIALECT_FILES) as DialectRole[]).filter((role) =>
      new RegExp(`^ +${ROLE_MARKS[role]}\\b`, 'm').test(member),
    );
    assert.notEqual(roles.length, 0, `${dialect}.ts names no member of the interface`);
    return roles.flatMap((role) =>
      Object.entries(DIALECT_FILES[role]).flatMap(([path, names]) => {
        const file = join('src', 'dialects', dialect, path);
        if (!exists(join(ROOT, file))) return [`${unix(file)} is missing`];
        const text = readSource(file);
        return names
          .filter(
            (name) =>
              !new RegExp(`^export (const|class|function) ${name}\\b|^export const \\{[^}]*\\b${name}\\b`, 'm').test(
                text,
              ),
          )
          .map((name) => `${unix(file)} does not export ${name}`);
      }),
    );
  });
  assert.deepEqual(wrong, [], 'test/support/dialect-files.ts lists what a dialect of each role has');
});

test('a dialect imports only its own folder and what all dialects share', () => {
  const members = dialectFolders();
  const wrong = internalImports()
    .filter(({ from }) => !isTest(from) && roomOf(from) === 'dialects')
    .map(({ from, to }) => ({ from, to, holder: unix(from).split('/')[2] ?? '', other: unix(to).split('/')[2] ?? '' }))
    .filter(({ holder, other }) => members.includes(other) && holder !== other && holder !== 'index.ts')
    .map(({ from, to }) => `${from} imports ${to}`);
  assert.deepEqual(wrong, [], 'what two dialects need goes to dialects/kit/');
});

test('the folders of dialects have the same names, and at most 30 files', () => {
  const folders = new Map<string, number>();
  for (const file of sources()) {
    const folder = unix(dirname(file));
    if (!folder.startsWith('src/dialects/') || isTest(file) || /fixture/.test(file)) continue;
    folders.set(folder, (folders.get(folder) ?? 0) + 1);
  }
  const named = (folder: string): boolean => {
    const [holder = '', room] = folder.split('/').slice(2);
    if (room === undefined) return holder === 'interface' || dialectFolders().includes(holder);
    return (DIALECT_FOLDERS as readonly string[]).includes(room) || (holder === 'kit' && room === 'media');
  };
  assert.deepEqual(
    [...folders].filter(([folder, files]) => !named(folder) || files > FILES_OF_DIALECTS_MAX),
    [],
    'put the file where the other dialects have theirs',
  );
});

test('old names are gone from the files that declared them, and from those that import these', () => {
  const imports = internalImports();
  const found = Object.entries(FORMER_NAMES).flatMap(([declared, names]) => {
    const file = join('src', declared);
    assert.ok(exists(join(ROOT, file)), `${file} is not there: correct FORMER_NAMES`);
    const files = [file, ...imports.filter(({ to }) => to === file).map(({ from }) => from)];
    const old = new RegExp(`(?<![\\w'"-])#?(${names.join('|')})\\b`);
    return files
      .filter((each) => old.test(readSource(each)))
      .map((each) => `${each}: ${old.exec(readSource(each))?.[0]}`);
  });
  assert.deepEqual(found, [], 'use the name of GLOSSARY.md');
});

test('file names say what is inside', () => {
  const vague = sources().filter((file) => FORBIDDEN_NAMES.test(file));
  assert.deepEqual(vague, [], 'name the file after the thing or the step it holds');
});

test('no folder has too many files', () => {
  const sizes = new Map<string, number>();
  for (const file of [...sources(), ...dashboardSources()]) {
    if (isTest(file) || /fixture/.test(file)) continue;
    sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
  }
  const large = [...sizes].filter(([, files]) => files > FILES_MAX);
  assert.deepEqual(large, [], `over ${FILES_MAX} files: give what belongs together a folder`);
});

test('files stay small enough to read', () => {
  const long = sources()
    .filter((file) => !isTest(file))
    .map((file) => [file, readSource(file).split('\n').length] as const)
    .filter(([, lines]) => lines > LINES_MAX);
  assert.deepEqual(long, [], `over ${LINES_MAX} lines: split it by noun`);
});

test('money never meets a float', () => {
  const offenders = ['billing', 'catalog', 'core'].flatMap((room) =>
    sources().filter((file) => roomOf(file) === room && !isTest(file) && /parseFloat|toFixed\(/.test(readSource(file))),
  );
  assert.deepEqual(offenders, [], 'use core/money.ts: bigint in, exact decimal text out');
});

test('time is injected', () => {
  const offenders = sources().filter(
    (file) =>
      !isTest(file) &&
      !['core/clock.ts', 'telemetry/log.ts'].includes(unix(relative(SOURCE, join(ROOT, file)))) &&
      ['gateway', 'upstream', 'accounts', 'storage', 'billing', 'stats', 'limits', 'replay', 'demo'].includes(
        roomOf(file),
      ) &&
      /\b(Date\.now|setTimeout|setInterval|performance\.now)\(/.test(readSource(file)),
  );
  assert.deepEqual(offenders, [], 'take a Clock (core/clock.ts)');
});

test('the data plane never uses fetch', () => {
  const offenders = sources().filter(
    (file) =>
      ['gateway', 'upstream', 'dialects'].includes(roomOf(file)) && !isTest(file) && /\bfetch\(/.test(readSource(file)),
  );
  assert.deepEqual(offenders, [], 'use upstream/client.ts: Pool.dispatch costs a fifth');
});

test('no call creates a long-lived function', () => {
  // V8 makes a function literal that is assigned to a property in the old generation: with all it closes over it
  // stays there until the next full collection. In code that every call passes, that is half of the garbage.
  const offenders = sources().filter(
    (file) =>
      ['gateway', 'upstream', 'dialects', 'wire', 'billing', 'accounts', 'replay', 'stats'].includes(roomOf(file)) &&
      !isTest(file) &&
      /^\s*[\w.?#[\]]+\.[#\w]+ (\?\?)?= (async )?(\([^()]*\)|\w+) =>/m.test(readSource(file)),
  );
  assert.deepEqual(offenders, [], 'assign an object with a method, or a function that has a name already');
});

test('only a dialect, a provider and tests name a dialect', () => {
  const names = readdirSync(join(SOURCE, 'dialects'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && exists(join(SOURCE, 'dialects', entry.name, `${entry.name}.ts`)))
    .map(({ name }) => name);
  assert.ok(names.length > 1, 'a member is a folder with a file of its name');
  const named = new RegExp(`(['"\`])(${names.join('|')})\\1`);
  // A generated file of the dashboard says so in its first line.
  const generated = /^\/\/ biome-ignore-all format: generated/;
  const offenders = [...sources(), ...webSources()].filter((file) => {
    if (isTest(file) || isTestMaterial(file) || ['dialects', 'providers'].includes(roomOf(file))) return false;
    const code = readSource(file).replace(/^\s*(\/\/|\/?\*).*$/gm, '');
    return named.test(code) && !generated.test(readSource(file));
  });
  assert.deepEqual(offenders, [], 'take it from dialects/index.ts, or let the dialect say it itself');
});

test('nothing is left unfinished', () => {
  const offenders = sources().filter(
    (file) =>
      !file.endsWith('tidy.test.ts') &&
      /\b(TODO|FIXME|XXX)\b|@ts-ignore|\bas any\b|: any(\[\])?\s*[;,)=]|\.only\(/.test(readSource(file)),
  );
  assert.deepEqual(offenders, [], 'finish it, or say in an issue what is missing');
});

test('tests do not sleep', () => {
  const offenders = sources().filter(
    (file) =>
      isTest(file) &&
      !file.endsWith('tidy.test.ts') &&
      /setTimeout\(\s*resolve|import \{[^}]*setTimeout[^}]*\} from 'node:timers\/promises'/.test(readSource(file)),
  );
  assert.deepEqual(offenders, [], 'wait for the event itself, or move a ManualClock');
});

test('nothing but loopback is named in tests', () => {
  const offenders = sources().filter(
    (file) => isTest(file) && /\bfetch\(\s*['"`]https?:\/\/(?!127\.0\.0\.1|localhost|\$\{)/.test(readSource(file)),
  );
  assert.deepEqual(offenders, [], 'tests reach 127.0.0.1 only');
});

function dashboardSources(): string[] {
  return globSync('web/src/**/*.{ts,tsx}', { cwd: ROOT });
}

function internalImports(): Import[] {
  return sources()
    .filter((file) => file.startsWith(`src${sep}`))
    .flatMap((file) =>
      [...readSource(file).matchAll(/^(?:import|export)\s+(type\s+)?([^'"]*?)\s*(?:from\s*)?['"](\.[^'"]+)['"]/gm)]
        .map(([, type, names = '', target = '']) => ({
          from: file,
          to: relative(ROOT, resolve(ROOT, dirname(file), target)),
          typeOnly: type !== undefined || /^\{\s*(type\s+\w+,?\s*)+\}$/.test(names),
        }))
        .filter(({ to }) => to.startsWith(`src${sep}`)),
    );
}

/** Every folder with a file of its own name. */
function dialectFolders(): string[] {
  const folder = join(SOURCE, 'dialects');
  return readdirSync(folder).filter((name) => exists(join(folder, name, `${name}.ts`)));
}

/** `src/gateway/routes.ts` → `gateway`; `src/app/app.ts` → `app`. */
function roomOf(file: string): string {
  return (unix(file).split('/')[1] ?? '').replace(/\.ts$/, '');
}

function isTest(file: string): boolean {
  return /\.test\.ts$|(^|[/-])contract\.ts$|^test\//.test(unix(file));
}

/** What only tests import, besides their own files. */
function isTestMaterial(file: string): boolean {
  return /(^|[/-])fixture[^/]*\.ts$|^src\/storage\/contract\//.test(unix(file));
}

/** The dashboard's. */
function webSources(): string[] {
  return walk(join(ROOT, 'web', 'src')).map((file) => relative(ROOT, file));
}

let sourceFiles: string[] | null = null;

function sources(): string[] {
  sourceFiles ??= ['src', 'test', 'scripts', 'bench']
    .flatMap((folder) => walk(join(ROOT, folder)))
    .map((file) => relative(ROOT, file));
  return sourceFiles;
}

const texts = new Map<string, string>();

function readSource(file: string): string {
  const text = texts.get(file) ?? readFileSync(join(ROOT, file), 'utf8');
  texts.set(file, text);
  return text;
}

function walk(folder: string): string[] {
  if (!exists(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? walk(path) : /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function unix(path: string): string {
  return path.split(sep).join('/');
}
