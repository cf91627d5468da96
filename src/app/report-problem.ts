/** Problems that are not reported to a caller go to the log and to the metrics. */
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { allClearOf } from './nodes/all-clears.ts';
import { nodeAdvice } from './nodes/node-advice.ts';

export interface Problem {
  /** The type of the log line and the alert. */
  readonly type: Parameters<Metrics['alert']>[0];
  readonly count: number;
  readonly cause: unknown;
  /** It is over, after this long, ms. */
  readonly overAfterMs?: number;
}

export function problemReporter(log: Log, metrics: Pick<Metrics, 'alert'>): (problem: Problem) => void {
  return ({ type, count, cause, overAfterMs }) => {
    const clear = allClearOf(type);
    if (overAfterMs !== undefined && clear !== null) {
      log.info({ afterMs: overAfterMs, count, ...(cause instanceof Error && { was: cause.message }) }, clear);
      return;
    }
    metrics.alert(type);
    log.error({ count, cause: cause instanceof Error ? cause.message : null, ...nodeAdvice(type) }, type);
  };
}
