/**
 * Counts a running program's system calls, with strace (https://man7.org/linux/man-pages/man1/strace.1.html),
 * which slows it: for counts, never during a measure of time.
 */
import { ensureProgram } from './debian-package.ts';
import { loadCore, type PinnedProcess, startPinned } from './pinned-process.ts';

/** By name. */
export type SystemCalls = ReadonlyMap<string, number>;

/** During `work`, by all threads of a process and its children; null if there is no strace or it may not trace. */
export async function countSystemCalls(of: PinnedProcess, work: () => Promise<void>): Promise<SystemCalls | null> {
  if (!ensureProgram('strace')) return null;
  const pids = of.pids().flatMap((pid) => ['-p', String(pid)]);
  const strace = startPinned(loadCore, 'strace', ['-f', '-c', '-U', 'calls,name', ...pids]);
  try {
    const all = new RegExp(`(?:attached[^]*){${of.pids().length}}`);
    const isAttached = await strace.printed(all).then(
      () => true,
      () => false,
    );
    if (!isAttached) return null;
    await work();
    await strace.stop();
    return readSummary(strace.lastWords() ?? '');
  } finally {
    await strace.stop();
  }
}

/** What `strace -c -U calls,name` prints when it ends; null if that is not a summary. */
export function readSummary(text: string): SystemCalls | null {
  const calls = new Map<string, number>();
  let total: number | null = null;
  for (const line of text.split('\n')) {
    const [, count, name] = line.match(/^\s*(\d+) (\w+)$/) ?? [];
    if (count === undefined || name === undefined) continue;
    if (name === 'total') total = Number(count);
    else calls.set(name, Number(count));
  }
  return total !== null && total === sum(calls.values()) ? calls : null;
}

/** All of them, or those with the given names. */
export function countOf(calls: SystemCalls, names: ReadonlySet<string> | null = null): number {
  return sum([...calls].map(([name, count]) => (names === null || names.has(name) ? count : 0)));
}

function sum(counts: Iterable<number>): number {
  let all = 0;
  for (const count of counts) all += count;
  return all;
}
