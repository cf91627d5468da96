/** CPU time of processes that others started, and that come and go: a database server's backends. */
import { readdirSync, readFileSync } from 'node:fs';

/** Of a process and its children: microseconds of CPU since each was started, by process id. */
export type CpuMicros = ReadonlyMap<number, number>;

export function cpuOfTree(pid: number): CpuMicros {
  const found = new Map<number, number>();
  for (const each of [pid, ...childrenOf(pid)]) {
    const micros = microsOf(each);
    if (micros !== null) found.set(each, micros);
  }
  return found;
}

/** What the processes used between two looks. One that ended in between is left out: a backend that ends did little before. */
export function usedBetween(before: CpuMicros, after: CpuMicros): number {
  let used = 0;
  for (const [pid, micros] of after) used += micros - (before.get(pid) ?? 0);
  return used;
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number);
}

/** The scheduler's own count in nanoseconds, of a process with one thread or several; null if it has ended. */
function microsOf(pid: number): number | null {
  try {
    let nanoseconds = 0;
    for (const thread of readdirSync(`/proc/${pid}/task`))
      nanoseconds += Number.parseInt(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1'), 10);
    return nanoseconds / 1_000;
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
