/**
 * A power failure with `durability: power`: what was written and not synced is gone, and one write is torn. The writes and syncs of the
 * real program are recorded by strace; its files are put together as a disk would have them at some moment, and the program is started on
 * them. What its callers had seen whole by then must be settled.
 */
import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { RowNotes } from '../../faults/rows/fault-row.ts';
import { startFaultBackend } from '../../support/fault-backend.ts';
import { ALL_LANES, type AnyLane, laneProviders, laneRequest } from '../../support/ledger-bench.ts';
import { outcomeOf } from '../../support/ledger-outcome.ts';
import { endsProperly } from '../../support/open-gateway.ts';
import { type Installation, newInstallation } from '../../support/serve-process.ts';
import { whyNotInjected } from './injected-errors.ts';
import { inLedger } from './ledger-file.ts';
import { spawnServer } from './spawned-server.ts';
import { verifyClean } from './verify-clean.ts';

const CALLS = 150;
const CALLERS = 6;
const CUTS = 6;
const DATABASE = 'turnpike.db';
const FILES = [DATABASE, `${DATABASE}-wal`] as const;

/** What the program did to a file; times are wall-clock seconds. */
interface Step {
  readonly file: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly does: { readonly write: Buffer; readonly at: number } | { readonly truncateTo: number } | 'sync';
}

interface Seen {
  readonly id: string;
  readonly at: number;
}

export async function powerFailure(row: RowNotes): Promise<string> {
  const skipped = whyNotInjected();
  if (skipped !== null) throw new Error(`writes cannot be recorded: ${skipped}`);
  const backend = await startFaultBackend();
  const installation = await newInstallation({
    demo: false,
    durability: 'power',
    providers: laneProviders(backend.origin),
  });
  const scratch = await mkdtemp(join(tmpdir(), 'turnpike-power-'));
  try {
    await startAndStop(installation);
    const before = join(scratch, 'before');
    await cp(installation.dataFolder, before, { recursive: true, filter: (path) => !/\.sock$/.test(path) });
    const log = join(scratch, 'log');
    const seen = await load(installation, log);
    const steps = await readSteps(log);
    const syncs = steps.filter(({ does }) => does === 'sync').length;
    assert.ok(syncs > 10, `only ${syncs} syncs were recorded`);
    let settledBefore = 0;
    for (let cut = 1; cut <= CUTS; cut += 1) {
      const at = seen[Math.floor((seen.length * cut) / CUTS) - 1]?.at ?? 0;
      settledBefore += await restart(installation, { before, steps, at, torn: cut % 2 === 0, seen }, row);
    }
    row.note('a broken connection; what was seen whole is charged once', 'LP');
    return `${seen.length} calls, ${syncs} syncs, cut at ${CUTS} moments: ${settledBefore} calls had been seen whole, 0 lost`;
  } finally {
    await backend.close();
    await rm(installation.folder, { recursive: true, force: true });
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The database exists and is at rest. */
async function startAndStop(installation: Installation): Promise<void> {
  const server = spawnServer(installation);
  assert.ok((await server.ready) !== null, server.printed());
  server.process.kill('SIGTERM');
  await server.gone;
}

/** Calls in every lane, streamed and whole, until the power fails; returns those that were seen whole. */
async function load(installation: Installation, log: string): Promise<readonly Seen[]> {
  const paths = FILES.flatMap((file) => ['-P', join(installation.dataFolder, file)]);
  const calls = 'pwrite64,write,fsync,fdatasync,ftruncate';
  const strace = [
    'strace',
    '--seccomp-bpf',
    // Or a signal would not end it before the program has ended.
    '-I',
    '1',
    '-f',
    '-y',
    '-ttt',
    '-T',
    '-xx',
    '-s',
    '1000000',
    '-o',
    log,
    ...paths,
    '-e',
    `trace=${calls}`,
  ];
  const server = spawnServer(installation, { before: strace });
  const seen: Seen[] = [];
  try {
    const url = await server.ready;
    assert.ok(url !== null, server.printed());
    let begun = 0;
    const caller = async () => {
      while (begun < CALLS) {
        const number = begun++;
        const streamed = number % 3 !== 0;
        const lane = ALL_LANES[number % ALL_LANES.length] as AnyLane;
        const { path, body } = laneRequest(lane.dialect, lane.model, streamed, 1_000);
        const response = await fetch(url + path, {
          method: 'POST',
          headers: { authorization: `Bearer ${installation.key}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        const text = await response.text();
        assert.ok(response.status === 200 && (!streamed || endsProperly(text)), text);
        seen.push({ id: response.headers.get('x-generation-id') ?? '', at: nowSeconds() });
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
  } finally {
    // The tracer would outlive a child that is killed, not the other way round.
    server.process.kill('SIGTERM');
    await server.gone;
  }
  return seen;
}

function nowSeconds(): number {
  return (performance.timeOrigin + performance.now()) / 1_000;
}

interface Cut {
  /** The data folder before the load. */
  readonly before: string;
  readonly steps: readonly Step[];
  /** When the power fails. */
  readonly at: number;
  /** Whether half of the first write that is lost reaches the disk. */
  readonly torn: boolean;
  readonly seen: readonly Seen[];
}

/** Starts on what the disk would have; returns how many calls had been seen whole by then. */
async function restart(of: Installation, cut: Cut, row: RowNotes): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'turnpike-power-'));
  const dataFolder = join(folder, 'data');
  await mkdir(dataFolder, { recursive: true });
  await cp(cut.before, dataFolder, { recursive: true });
  for (const file of FILES) await writeFile(join(dataFolder, file), await contentAt(cut, file), { mode: 0o600 });
  const config = await readFile(join(of.folder, 'turnpike.yaml'), 'utf8');
  await writeFile(join(folder, 'turnpike.yaml'), config.replaceAll(of.dataFolder, dataFolder));
  const server = spawnServer({ folder, dataFolder, key: of.key, storage: null });
  try {
    assert.ok((await server.ready) !== null, server.printed());
    await verifyClean(dataFolder);
    const settled = inLedger(dataFolder, (ledger) => {
      assert.equal(ledger.check().openHolds, 0);
      return new Map(ledger.settlements().map((each) => [each.id, each]));
    });
    const whole = cut.seen.filter(({ at }) => at <= cut.at);
    for (const { id } of whole) {
      const each = settled.get(id);
      assert.ok(
        each !== undefined && each.ending === 'complete',
        `${id} was seen whole, and is ${each?.ending ?? 'lost'}`,
      );
      row.ledger.add(outcomeOf(each));
    }
    return whole.length;
  } finally {
    await server.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A file as far as it was synced by then. */
async function contentAt({ before, steps, at, torn }: Cut, file: string): Promise<Buffer> {
  let bytes: Buffer = await readFile(join(before, file)).catch(() => Buffer.alloc(0));
  const own = steps.filter((step) => step.file === file);
  const lastSync = own.findLastIndex(({ does, endedAt }) => does === 'sync' && endedAt <= at);
  for (const { does } of own.slice(0, lastSync + 1)) bytes = applied(bytes, does);
  const lost = torn ? own.slice(lastSync + 1).find(({ does }) => does !== 'sync')?.does : undefined;
  if (lost === undefined || lost === 'sync' || 'truncateTo' in lost) return bytes;
  return applied(bytes, { ...lost, write: lost.write.subarray(0, lost.write.length / 2) });
}

function applied(bytes: Buffer, does: Step['does']): Buffer {
  if (does === 'sync') return bytes;
  if ('truncateTo' in does) return Buffer.concat([bytes, Buffer.alloc(does.truncateTo)]).subarray(0, does.truncateTo);
  const { write, at } = does;
  const size = Math.max(bytes.length, at + write.length);
  const grown = size === bytes.length ? bytes : Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);
  write.copy(grown, at);
  return grown;
}

/**
 * strace's lines in order: `<thread> <time> pwrite64(21<path>, "\x37…", 4120, 32) = 4120 <0.000021>`. A call that another thread
 * interrupts has two lines; the second one has the result.
 */
async function readSteps(log: string): Promise<readonly Step[]> {
  const steps: Step[] = [];
  const open = new Map<string, { readonly startedAt: number; readonly text: string }>();
  for (const line of (await readFile(log, 'latin1')).split('\n')) {
    const [, thread = '', time = '', rest = ''] = /^(\d+) +([\d.]+) (.*)$/.exec(line) ?? [];
    const startedAt = Number(time);
    if (rest.endsWith('<unfinished ...>')) {
      open.set(thread, { startedAt, text: rest.slice(0, -'<unfinished ...>'.length) });
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest);
    const begun = resumed === null ? undefined : open.get(thread);
    const step = stepOf(begun === undefined ? rest : begun.text + (resumed?.[1] ?? ''), begun?.startedAt ?? startedAt);
    if (step !== null) steps.push(step);
  }
  return steps;
}

function stepOf(text: string, startedAt: number): Step | null {
  const [, name, path = '', parameters = '', result = '', took = ''] =
    /^(\w+)\(\d+<([^>]+)>(.*?)\) += (-?\d+).*<([\d.]+)>$/.exec(text) ?? [];
  if (name === undefined || Number(result) < 0) return null;
  const of = { file: basename(unhex(path)), startedAt, endedAt: startedAt + Number(took) };
  if (name === 'fsync' || name === 'fdatasync') return { ...of, does: 'sync' };
  if (name === 'ftruncate') return { ...of, does: { truncateTo: Number(parameters.slice(2)) } };
  const [, hex = '', at = ''] = /^, "([^"]*)", \d+, (\d+)$/.exec(parameters) ?? [];
  assert.ok(name === 'pwrite64' && at !== '', `an unknown write: ${text.slice(0, 100)}`);
  return { ...of, does: { write: Buffer.from(hex.replaceAll('\\x', ''), 'hex'), at: Number(at) } };
}

/** `-xx` prints paths in hexadecimal, too. */
function unhex(path: string): string {
  return path.startsWith('\\x') ? Buffer.from(path.replaceAll('\\x', ''), 'hex').toString() : path;
}
