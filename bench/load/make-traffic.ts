/** Synthetic traffic, in an installation that is not running: see `scripts/make-traffic.ts`. */
import { join } from 'node:path';
import { startPinned, subjectCore } from '../pinned-process.ts';
import type { Installation } from '../turnpike-subject.ts';

export interface Traffic {
  readonly accounts: number;
  readonly calls: number;
  /** Ending with today. */
  readonly days: number;
  /** Only the sums of calls, no records. */
  readonly rollupsOnly: boolean;
}

const PATIENCE_MS = 1_800_000;

/** The accounts must exist already. */
export async function makeTraffic({ folder }: Installation, traffic: Traffic): Promise<void> {
  const program = join(import.meta.dirname, '..', '..', 'scripts', 'make-traffic.ts');
  const numbers = ['days', 'calls', 'accounts'] as const;
  const parameters = [
    ...['--folder', join(folder, 'data')],
    ...numbers.flatMap((name) => [`--${name}`, String(traffic[name])]),
    ...(traffic.rollupsOnly ? ['--rollups-only'] : []),
  ];
  const child = startPinned(subjectCore, process.execPath, [program, ...parameters]);
  try {
    await child.printed(/^\d+ calls in /m, PATIENCE_MS);
    await child.ended();
  } finally {
    await child.stop();
  }
}
