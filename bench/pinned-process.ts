/**
 * A child process tied to one core, and what the kernel says it used. A child is ended by its own
 * pid, and none outlives the benchmark.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface PinnedProcess {
  readonly pid: number;
  /** Resolves with the first match in what the child prints; rejects when it ends or 30 s pass without one. */
  printed(pattern: RegExp): Promise<RegExpMatchArray>;
  /** CPU time of the process and its children, all threads, in microseconds since their start. */
  cpuMicros(): number;
  /** Resident memory of the process and its children, in bytes. */
  residentBytes(): number;
  /** The end of what the child printed, once it has ended; null while it runs. */
  lastWords(): string | null;
  stop(): Promise<void>;
}

const PRINT_DEADLINE_MS = 30_000;
const KILL_AFTER_MS = 10_000;
const OUTPUT_KEPT = 16_384;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export interface PinnedOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly folder?: string;
}

/** `taskset` and `prlimit` replace themselves by the command, so the pid is the command's own. */
export function startPinned(
  core: number,
  command: string,
  arguments_: readonly string[],
  options: PinnedOptions = {},
): PinnedProcess {
  const files = openFilesMax();
  const child = spawn(
    'prlimit',
    [`--nofile=${files}:${files}`, 'taskset', '-c', String(core), command, ...arguments_],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: options.folder,
      env: { ...process.env, ...options.environment },
    },
  );
  const { pid } = child;
  if (pid === undefined) throw new Error(`${command} could not be started`);
  running.add(child);
  let output = '';
  const keep = (text: string) => {
    output = (output + text).slice(-OUTPUT_KEPT);
  };
  child.stdout.setEncoding('utf8').on('data', keep);
  child.stderr.setEncoding('utf8').on('data', keep);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void exited.then(() => running.delete(child));

  return {
    pid,
    printed: (pattern) => waitForPrint(child, pattern, () => output),
    cpuMicros: () => sumOverTree(pid, threadsCpuMicros),
    residentBytes: () => sumOverTree(pid, residentBytesOf),
    lastWords: () => (hasEnded(child) ? output : null),
    async stop() {
      if (hasEnded(child)) return;
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS);
      await exited;
      clearTimeout(force);
    },
  };
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

function waitForPrint(child: ChildProcess, pattern: RegExp, output: () => string): Promise<RegExpMatchArray> {
  return new Promise((resolve, reject) => {
    const deadline = setTimeout(() => fail('printed nothing that was waited for'), PRINT_DEADLINE_MS);
    const fail = (what: string) => {
      stop();
      reject(new Error(`${child.spawnargs.slice(4).join(' ')} ${what}:\n${output()}`));
    };
    const look = () => {
      const match = output().match(pattern);
      if (match === null) return;
      stop();
      resolve(match);
    };
    const ended = () => fail('ended');
    const stop = () => {
      clearTimeout(deadline);
      child.stdout?.off('data', look);
      child.stderr?.off('data', look);
      child.off('exit', ended);
    };
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('exit', ended);
    look();
  });
}

function sumOverTree(pid: number, measure: (pid: number) => number): number {
  let sum = measure(pid);
  for (const child of childrenOf(pid)) sum += sumOverTree(child, measure);
  return sum;
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

function residentBytesOf(pid: number): number {
  const resident = readFileSync(`/proc/${pid}/status`, 'latin1').match(/^VmRSS:\s+(\d+) kB/m)?.[1];
  if (resident === undefined) throw new Error(`the memory of process ${pid} cannot be read`);
  return Number(resident) * 1024;
}

function threadsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/task`);
}
