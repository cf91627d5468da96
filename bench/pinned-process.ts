/**
 * A child process tied to one core, and what the kernel says it used. A child is ended by its own
 * pid, and none outlives the benchmark.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, openSync, readdirSync, readFileSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The core of the subject; the backend and the load generator have the other one. */
export const subjectCore = 0;
export const loadCore = 1;

export interface PinnedProcess {
  readonly pid: number;
  /** Of the process and its children. */
  pids(): number[];
  /** Resolves with the first match in what the child prints; rejects if it ends, or 30 s pass without one. */
  printed(pattern: RegExp, patienceMs?: number): Promise<RegExpMatchArray>;
  /** CPU time of the process and its children, all threads, in microseconds since their start. */
  cpuMicros(): number;
  /** How often one of their threads gave up the CPU to wait for something, since their start. */
  waits(): number;
  /** Resident memory of the process and its children, in bytes. */
  residentBytes(): number;
  /** The end of what the child printed, once it has ended; null while it runs. */
  lastWords(): string | null;
  /** Resolves when the child has ended by itself. */
  ended(): Promise<void>;
  stop(): Promise<void>;
}

const PRINT_PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 5;
const KILL_AFTER_MS = 10_000;
const OUTPUT_KEPT = 16_384;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export interface PinnedOptions {
  /** In addition to PATH; nothing else of this process's environment is passed on, as it could contain settings of the subject. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder?: string;
}

/**
 * `taskset` and `prlimit` replace themselves with the command, so the pid is the command's.
 * Standard output goes to a file, as a log would: a pipe would cost the core that reads it.
 */
export function startPinned(
  core: number,
  command: string,
  arguments_: readonly string[],
  options: PinnedOptions = {},
): PinnedProcess {
  const files = openFilesMax();
  const log = openNamelessFile();
  const child = spawn(
    'prlimit',
    [`--nofile=${files}:${files}`, 'taskset', '-c', String(core), command, ...arguments_],
    {
      stdio: ['ignore', log, 'pipe'],
      cwd: options.folder,
      env: { PATH: process.env['PATH'], ...options.environment },
    },
  );
  const { pid } = child;
  if (pid === undefined) throw new Error(`${command} could not be started`);
  running.add(child);
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-OUTPUT_KEPT);
  });
  const output = () => `${beginningOf(log)}\n${errors}`;
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void exited.then(() => running.delete(child));

  return {
    pid,
    pids: () => treeOf(pid),
    async printed(pattern, patienceMs = PRINT_PATIENCE_MS) {
      const deadlineMs = performance.now() + patienceMs;
      for (;;) {
        const ended = hasEnded(child);
        const match = output().match(pattern);
        if (match !== null) return match;
        if (ended) throw new Error(`${command} ended:\n${output()}`);
        if (performance.now() > deadlineMs) throw new Error(`${command} did not print ${pattern}:\n${output()}`);
        await sleep(LOOK_EVERY_MS);
      }
    },
    cpuMicros: () => sumOf(treeOf(pid), threadsCpuMicros),
    waits: () => sumOf(treeOf(pid), threadsWaits),
    residentBytes: () => sumOf(treeOf(pid), residentBytesOf),
    lastWords: () => (hasEnded(child) ? output() : null),
    ended: () => exited,
    async stop() {
      if (hasEnded(child)) return;
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
      await exited;
      clearTimeout(force);
    },
  };
}

function openNamelessFile(): number {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-bench-log-'));
  const file = openSync(join(folder, 'stdout'), 'a+');
  rmSync(folder, { recursive: true });
  return file;
}

/** What is waited for is stated at the start. */
function beginningOf(file: number): string {
  const bytes = Buffer.alloc(OUTPUT_KEPT);
  return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0));
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** The most files a child may open: the hard limit of this process, which only some systems let root raise. */
export function openFilesMax(): number {
  const line = readFileSync('/proc/self/limits', 'latin1').match(/^Max open files\s+\S+\s+(\d+)/m);
  if (line?.[1] === undefined) throw new Error('the limit of open files cannot be read');
  return Number(line[1]);
}

function sumOf(pids: readonly number[], measure: (pid: number) => number): number {
  return pids.reduce((sum, pid) => sum + measure(pid), 0);
}

function treeOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(treeOf)];
}

function childrenOf(pid: number): number[] {
  return threadsOf(pid).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
  );
}

/** The scheduler's own count in nanoseconds; `/proc/<pid>/stat` has the same time in ticks of 10 ms. */
function threadsCpuMicros(pid: number): number {
  let nanoseconds = 0;
  for (const thread of threadsOf(pid)) {
    nanoseconds += Number.parseInt(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1'), 10);
  }
  return nanoseconds / 1000;
}

/** https://docs.kernel.org/filesystems/proc.html: `voluntary_ctxt_switches`. */
function threadsWaits(pid: number): number {
  let waits = 0;
  for (const thread of threadsOf(pid)) {
    const count = readFileSync(`/proc/${pid}/task/${thread}/status`, 'latin1').match(
      /^voluntary_ctxt_switches:\s+(\d+)/m,
    );
    waits += Number(count?.[1] ?? 0);
  }
  return waits;
}

function residentBytesOf(pid: number): number {
  const resident = readFileSync(`/proc/${pid}/status`, 'latin1').match(/^VmRSS:\s+(\d+) kB/m)?.[1];
  if (resident === undefined) throw new Error(`the memory of process ${pid} cannot be read`);
  return Number(resident) * 1024;
}

function threadsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`);
}
