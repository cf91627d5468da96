/** Watches how calls to the providers that are called now go, and tells of every change: in the log and in the metrics. */
import type { ProviderRegistry } from '../catalog/provider-registry.ts';
import type { Clock } from '../core/clock.ts';
import { isTrouble } from '../telemetry/health-state.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { type HealthChange, ProviderHealth } from '../telemetry/provider-health.ts';

export interface HealthParts {
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'providerAlert'>;
  readonly log: Pick<Log, 'warn'>;
}

export function openHealth(
  registry: Pick<ProviderRegistry, 'current' | 'onChange'>,
  parts: HealthParts,
): ProviderHealth {
  const health = new ProviderHealth(parts.clock, (change) => tell(change, parts));
  const watch = () => health.watch(registry.current.providers.values());
  watch();
  registry.onChange(watch);
  return health;
}

/** The end of a trouble at the same level as its beginning: who reads of one reads of the other. */
function tell({ provider, model, before, state, reason }: HealthChange, { metrics, log }: HealthParts): void {
  const subject = model === null ? 'provider' : 'model';
  const kind = `${subject}_${state === 'good' ? 'recovered' : state}`;
  if (isTrouble(state)) metrics.providerAlert(kind, provider);
  // Of a trouble that has ended, its last failure is no news.
  const last =
    reason === null || !isTrouble(state)
      ? {}
      : { error: reason.code, status: reason.status, connectionError: reason.connectionError };
  log.warn({ provider, ...(model === null ? {} : { model }), before, state, ...last }, kind);
}
