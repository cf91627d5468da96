/** How much memory another process has, as its system accounts for it: https://man7.org/linux/man-pages/man5/proc_pid_status.5.html */
import { readFileSync, writeFileSync } from 'node:fs';

/** In bytes, at this moment. */
export function residentBytes(pid: number): number {
  return field(pid, 'VmRSS');
}

/** In bytes, at most since `forgetPeak`, or since the process started. */
export function peakBytes(pid: number): number {
  return field(pid, 'VmHWM');
}

export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function field(pid: number, name: string): number {
  const [, kib] = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}
