/**
 * How many connections of callers the process's file descriptors allow (RLIMIT_NOFILE). Each running call may need one more, to its
 * provider, and files and threads need some, too.
 */
import { readdirSync, readFileSync } from 'node:fs';

export interface Descriptors {
  /** RLIMIT_NOFILE; null if it is unknown or unlimited. */
  readonly limit: number | null;
  /** How many are open now. Costs a directory listing. */
  count(): number;
}

/** Of this process, on Linux: https://man7.org/linux/man-pages/man5/proc_pid_limits.5.html */
export function ownDescriptors(): Descriptors {
  return { limit: readLimit(), count: () => readdirSync('/proc/self/fd').length };
}

function readLimit(): number | null {
  try {
    const [, soft] = /^Max open files +(\d+) /m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}

/** For files, threads and idle connections to providers. */
const KEPT_MIN = 32;
const KEPT_PART = 0.1;

/** How many connections of callers may be open if the process needs `others` descriptors for anything but calls. */
export function connectionsMax(limit: number | null, others: number): number {
  if (limit === null) return Number.POSITIVE_INFINITY;
  const kept = Math.max(KEPT_MIN, Math.ceil(limit * KEPT_PART));
  return Math.max(1, Math.floor((limit - kept - others) / 2));
}
