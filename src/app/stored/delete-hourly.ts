/** Deletes every hour what has expired. */
import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../telemetry/log.ts';

const HOUR_MS = 3_600_000;

export interface HourlyParts {
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

/** Until `closing`. A failure is logged under `event`; the next hour tries again. */
export function deleteHourly(
  { clock, log }: HourlyParts,
  deleteExpired: (nowMs: number) => Promise<unknown>,
  event: string,
  closing: AsyncDisposableStack,
): void {
  const deleting = clock.every(HOUR_MS, () => {
    deleteExpired(clock.now()).catch((error: Error) => log.warn({ cause: error.message }, event));
  });
  closing.defer(() => deleting.cancel());
}
