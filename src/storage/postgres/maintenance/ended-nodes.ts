/** Which node has not ended in order, in words that say since when and what to do; for what must not happen while a node may run. */
/** Lists show it as silent then: a node that runs is marked as seen every 5 s. */
const SILENT_AFTER_MS = 15_000;

/** Settlements and what is lent are waited for until a node has ended in order, or everything that it was lent is given up. */
export interface UnendedNode {
  readonly name: string;
  readonly state: string;
  /** By the database's clock, ms. */
  readonly seen_at: bigint;
  readonly now: bigint;
}

/** Whether it was seen so recently that it may run. */
export function mayRun({ state, seen_at: seenAt, now }: UnendedNode): boolean {
  return (state === 'live' || state === 'draining') && Number(now - seenAt) <= SILENT_AFTER_MS;
}

/** `The node east-1 was seen 3 s ago (at 2026-11-24 01:00:00 UTC)` */
export function lastSeen({ name, seen_at: seenAt, now }: UnendedNode): string {
  const at = new Date(Number(seenAt)).toISOString().slice(0, 19).replace('T', ' ');
  return `The node ${name} was seen ${spanText(Math.max(0, Number(now - seenAt)))} ago (at ${at} UTC)`;
}

/** The seconds until a node that was killed counts as silent. */
export function secondsToSilence({ seen_at: seenAt, now }: UnendedNode): number {
  return Math.ceil((SILENT_AFTER_MS - Number(now - seenAt)) / 1_000) + 1;
}

const UNITS = [
  ['days', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
] as const;

function spanText(ms: number): string {
  for (const [unit, unitMs] of UNITS) if (ms >= 2 * unitMs) return `${Math.floor(ms / unitMs)} ${unit}`;
  return `${Math.floor(ms / 1_000)} s`;
}
