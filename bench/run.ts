/**
 * `npm run bench`: measures Turnpike, nginx and a bare Node proxy, in one run, over one
 * backend and one load generator, and prints the table. A complete run also writes it to README.md.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measureBadKeys } from './measures/bad-keys.ts';
import { measureBank } from './measures/bank.ts';
import { measureBody } from './measures/body.ts';
import { measureCalls, measureLedger } from './measures/call.ts';
import { measureChunks } from './measures/chunk.ts';
import { measureDashboard } from './measures/dashboard.ts';
import { measureIdle } from './measures/idle.ts';
import { measureKeys } from './measures/keys.ts';
import { measureLatency } from './measures/latency.ts';
import { type Bench, type MeasureName, measureNames, type Row } from './measures/measure.ts';
import { measureMemory } from './measures/memory.ts';
import { measureNodes } from './measures/nodes.ts';
import { measureOneConnection } from './measures/one-connection.ts';
import { measureReports } from './measures/reports.ts';
import { measureSettlements } from './measures/settle.ts';
import { MemoryWalk } from './memory-walk.ts';
import { nginxVersion } from './nginx.ts';
import { runPaired } from './paired.ts';
import { loadCore } from './pinned-process.ts';
import { meetsTarget, renderTable, replaceBetweenMarkers } from './report.ts';
import { type Subject, type SubjectName, type SubjectOptions, subjectNames } from './subject.ts';
import { startBackend, startSubject } from './subjects.ts';

const USAGE = `usage: npm run bench -- [--quick] [--only ${measureNames.join('|')}] [--subjects ${subjectNames.join(',')}]
                        [--profile <folder>]
       npm run bench -- --before <folder> [--quick] [--starts <n>] [--only call|one-connection|chunk]

  --quick     fewer rounds: shows that all works, not what to publish
  --only      one measure
  --subjects  some of the subjects
  --profile   a folder for a CPU profile of Turnpike (it slows what it measures)
  --before    another checkout, its packages installed: calls and chunks of this one ÷ those of that, in pairs; exits 1
              where one of them got slower than a change may make it
  --starts    how often --before starts both programs: 20 or more show a difference of 1 %
  A run of everything writes its table to bench/README.md.`;

const measures: Readonly<Record<MeasureName, (bench: Bench) => Promise<Row[]>>> = {
  call: measureCalls,
  ledger: measureLedger,
  nodes: measureNodes,
  bank: measureBank,
  'one-connection': measureOneConnection,
  chunk: measureChunks,
  latency: measureLatency,
  idle: measureIdle,
  memory: measureMemory,
  body: measureBody,
  settle: measureSettlements,
  keys: measureKeys,
  'bad-keys': measureBadKeys,
  dashboard: measureDashboard,
  reports: measureReports,
};

interface Wishes {
  readonly quick: boolean;
  readonly measures: readonly MeasureName[];
  readonly subjects: readonly SubjectName[];
  readonly profileFolder: string | null;
  /** Another checkout to measure against, and nothing else. */
  readonly before: string | null;
  readonly starts: number | null;
}

process.exitCode = await main();

async function main(): Promise<number> {
  const wishes = readWishes();
  if (wishes === null) return 2;
  if (cpus().length < 2) throw new Error('two cores are needed: one for the subject, one for backend and load');
  pinThisProcess();
  if (wishes.before !== null) {
    const isFastEnough = await runPaired({ ...wishes, before: wishes.before });
    return isFastEnough ? 0 : 1;
  }
  const walk = new MemoryWalk();
  const rows: Row[] = [];
  try {
    await measureAll(wishes, walk, rows);
  } finally {
    // Also if a measure broke off: what was measured before it is kept.
    process.stdout.write(`\n${renderTable(rows, wishes.subjects)}\n\n${machineFacts(walk)}\n`);
  }
  if (isComplete(wishes)) {
    const file = join(import.meta.dirname, 'README.md');
    writeFileSync(
      file,
      replaceBetweenMarkers(
        readFileSync(file, 'utf8'),
        `\n${machineFacts(walk)}\n\n${renderTable(rows, wishes.subjects)}\n`,
      ),
    );
  }
  return rows.some((row) => meetsTarget(row) === false) ? 1 : 0;
}

/** Adds to `rows` what each measure returns. */
async function measureAll(wishes: Wishes, walk: MemoryWalk, rows: Row[]): Promise<void> {
  const backend = await startBackend();
  const start = (name: SubjectName, options: Partial<SubjectOptions> = {}) =>
    startSubject(name, backend, { ...plainOptions(wishes), ...options });
  const subjects: Subject[] = [];
  try {
    for (const name of wishes.subjects) subjects.push(await start(name));
    const { quick, profileFolder } = wishes;
    const bench: Bench = { backend, subjects, quick, profileFolder, startFresh: start, walk, say };
    // The rounds of `call` include the row of `ledger`.
    const names = wishes.measures.filter((name) => name !== 'ledger' || !wishes.measures.includes('call'));
    for (const name of names) rows.push(...(await measures[name](bench)));
  } finally {
    for (const subject of subjects) await subject.stop();
    await backend.stop();
  }
}

function plainOptions({ profileFolder }: Wishes): SubjectOptions {
  return { profileFolder, watchLoop: false, countStatements: false, ledger: 'kept' };
}

function readWishes(): Wishes | null {
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        only: { type: 'string' },
        subjects: { type: 'string', default: subjectNames.join(',') },
        profile: { type: 'string' },
        before: { type: 'string' },
        starts: { type: 'string' },
      },
    });
    return {
      quick: values.quick,
      measures: measureNames.filter(oneOf(values.only === undefined ? measureNames : [values.only], measureNames)),
      subjects: subjectNames.filter(oneOf(values.subjects.split(','), subjectNames)),
      profileFolder: values.profile ?? null,
      before: values.before === undefined ? null : resolve(values.before),
      starts: values.starts === undefined ? null : positive(values.starts),
    };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}\n`);
    return null;
  }
}

function positive(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1) throw new Error(`--starts is a whole number from 1 on, not "${text}"`);
  return count;
}

/** A membership test, after a check that every name is known. */
function oneOf(wished: readonly string[], known: readonly string[]): (name: string) => boolean {
  for (const name of wished) {
    if (!known.includes(name)) throw new Error(`there is no "${name}"; choose from ${known.join(', ')}`);
  }
  return (name) => wished.includes(name);
}

function isComplete(wishes: Wishes): boolean {
  return (
    !wishes.quick &&
    wishes.profileFolder === null &&
    wishes.measures.length === measureNames.length &&
    wishes.subjects.length === subjectNames.length
  );
}

/** This process is the load generator. */
function pinThisProcess(): void {
  const { status } = spawnSync('taskset', [
    '--all-tasks',
    '--cpu-list',
    '--pid',
    String(loadCore),
    String(process.pid),
  ]);
  if (status !== 0) throw new Error('taskset could not pin this process; it is in the package util-linux');
}

function machineFacts(walk: MemoryWalk): string {
  const [core] = cpus();
  const day = new Date().toISOString().slice(0, 10);
  const versions = `Node ${process.versions.node}, nginx ${nginxVersion() ?? 'not installed'}`;
  const facts = [day, `${cpus().length} cores (${core?.model.trim() ?? 'unknown'})`, versions, walk.words()];
  return facts.filter((fact) => fact !== null).join(' · ');
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
