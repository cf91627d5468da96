/** prom-client's default metrics: CPU, memory, file descriptors, garbage collection. */
import { collectDefaultMetrics, type Registry } from 'prom-client';

const PREFIX = 'turnpike_';
/** The longest period of a timer. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * Adds them as `turnpike_process_*` and `turnpike_nodejs_*`. prom-client also has a timer that measures the event loop's delay
 * a hundred times a second, which would be most of an idle server's work: its period is set so long that it never runs, and
 * `turnpike_loop_delay_seconds` measures the same without a timer.
 */
export function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, prefix: PREFIX, eventLoopMonitoringPrecision: NEVER_MS });
  for (const { name } of registry.getMetricsAsArray())
    if (name.startsWith(`${PREFIX}nodejs_eventloop_lag_`)) registry.removeSingleMetric(name);
}
