/** Problems that are not reported to a caller go to the log and to the metrics. */
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { nodeAdvice } from './nodes/node-advice.ts';

export interface Problem {
  /** The type of the log line and the alert. */
  readonly type: Parameters<Metrics['alert']>[0];
  readonly count: number;
  readonly cause: unknown;
}

export function problemReporter(log: Log, metrics: Pick<Metrics, 'alert'>): (problem: Problem) => void {
  return ({ type, count, cause }) => {
    metrics.alert(type);
    log.error({ count, cause: cause instanceof Error ? cause.message : null, ...nodeAdvice(type) }, type);
  };
}
