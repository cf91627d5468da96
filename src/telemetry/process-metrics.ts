/** What prom-client knows of any process and of any Node: CPU, memory, file descriptors, garbage collection. */
import { collectDefaultMetrics, type Registry } from 'prom-client';

const PREFIX = 'turnpike_';
/** The longest period that a timer takes. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * Adds them as `turnpike_process_*` and `turnpike_nodejs_*`. prom-client also has a timer that looks a hundred times a
 * second how late the event loop is, which is most of what an idle server would do: it is put off for ever, and
 * `turnpike_loop_delay_seconds` says the same without one.
 */
export function collectProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, prefix: PREFIX, eventLoopMonitoringPrecision: NEVER_MS });
  for (const { name } of registry.getMetricsAsArray())
    if (name.startsWith(`${PREFIX}nodejs_eventloop_lag_`)) registry.removeSingleMetric(name);
}
