/**
 * Resident memory with many open streams, each of which has had its head and first chunk and then
 * stays quiet. Every subject is started anew for this, and its memory is read some seconds after
 * the last stream opened, without asking for a garbage collection.
 */
import { CHAT } from '../dialects.ts';
import { Connection, requestBytes } from '../load/load.ts';
import { openFilesMax } from '../pinned-process.ts';
import type { Subject, SubjectName } from '../subject.ts';
import type { Bench, Row } from './measure.ts';

const FEW = 1_000;
const MANY = 10_000;
/** A subject has two sockets a stream, and some other files. */
const OTHER_FILES = 200;
const OPENING_AT_ONCE = 100;
const SETTLE_MS = 3_000;
const MIB = 1024 * 1024;

export async function measureMemory(bench: Bench): Promise<Row[]> {
  const many = Math.min(MANY, Math.floor((openFilesMax() - OTHER_FILES) / 2 / 100) * 100);
  const seen = new Map<SubjectName, Memory>();
  for (const { name } of bench.subjects) {
    if (name === 'direct') continue;
    const subject = await bench.startFresh(name);
    try {
      seen.set(name, await run(bench, subject, many));
    } finally {
      await subject.stop();
    }
  }
  const pick = (of: (memory: Memory) => number) =>
    Object.fromEntries([...seen].map(([name, memory]) => [name, of(memory)]));
  const memoryRow = (work: string, unit: string, of: (memory: Memory) => number, most: number | null): Row => ({
    work,
    unit,
    digits: 0,
    values: pick(of),
    rounds: null,
    target: most === null ? null : { type: 'absolute', most },
  });
  return [
    memoryRow('memory at rest', 'MiB', (memory) => memory.atRest / MIB, null),
    memoryRow(`memory, ${FEW.toLocaleString('en')} open streams`, 'MiB', (memory) => memory.few / MIB, null),
    memoryRow(`memory, ${many.toLocaleString('en')} open streams`, 'MiB', (memory) => memory.many / MIB, 1024),
    memoryRow('memory per open stream', 'kB', (memory) => (memory.many - memory.atRest) / many / 1000, null),
  ];
}

interface Memory {
  readonly atRest: number;
  readonly few: number;
  readonly many: number;
}

async function run(bench: Bench, subject: Subject, many: number): Promise<Memory> {
  const { process: measured } = subject;
  if (measured === null) throw new Error('only a process has memory');
  const streams = new OpenStreams(subject);
  try {
    await settle();
    const atRest = measured.residentBytes();
    await streams.grow(FEW);
    await settle();
    const few = measured.residentBytes();
    await streams.grow(many);
    await settle();
    const all = measured.residentBytes();
    streams.expectOpen();
    bench.say(
      `memory, ${subject.name}: ${Math.round(atRest / MIB)} MiB at rest, ${Math.round(few / MIB)} at ${FEW} streams, ` +
        `${Math.round(all / MIB)} at ${many}`,
    );
    return { atRest, few, many: all };
  } finally {
    streams.close();
  }
}

class OpenStreams {
  readonly #subject: Subject;
  readonly #request: Buffer;
  readonly #connections: Connection[] = [];
  #failure: Error | null = null;

  constructor(subject: Subject) {
    this.#subject = subject;
    this.#request = requestBytes(subject, CHAT, 'idle');
  }

  async grow(count: number): Promise<void> {
    while (this.#connections.length < count) {
      const size = Math.min(OPENING_AT_ONCE, count - this.#connections.length);
      await Promise.all(Array.from({ length: size }, () => this.#open()));
      this.expectOpen();
    }
  }

  /** Throws if a stream has ended: then the memory is not that of all streams. */
  expectOpen(): void {
    if (this.#failure !== null) throw this.#failure;
  }

  close(): void {
    for (const connection of this.#connections) connection.close();
  }

  /** Resolves with the first chunk. */
  async #open(): Promise<void> {
    const connection = await Connection.open(this.#subject.port);
    this.#connections.push(connection);
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => {
        this.#failure ??= error;
        reject(error);
      };
      connection.start(
        this.#request,
        (status) => (status === 200 ? resolve() : fail(new Error(`${this.#subject.name} answered ${status}`))),
        () => fail(new Error(`${this.#subject.name} ended a stream that was to stay open`)),
        fail,
      );
    });
  }
}

function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}
