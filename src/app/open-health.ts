/** Tracks the health of the current providers, and reports every change to the log and the metrics. */
import type { ProviderRegistry } from '../catalog/provider-registry.ts';
import type { Clock } from '../core/clock.ts';
import { Breakers } from '../routing/breaker/breakers.ts';
import { isTrouble } from '../telemetry/health-state.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { type HealthChange, ProviderHealth } from '../telemetry/provider-health.ts';
import type { CredentialAlerts } from './mail/open-credential-alerts.ts';

export interface HealthParts {
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'providerAlert'>;
  readonly log: Pick<Log, 'warn'>;
}

/** For choosing among providers and credentials; reports once when a credential is rejected, and once when it is accepted again. */
export function openBreakers(
  { clock, metrics, log }: HealthParts,
  alerts: Pick<CredentialAlerts, 'rejected'>,
): Breakers {
  return new Breakers(clock, (change) => {
    const { provider, credential, model, state } = change;
    const kind = `credential_${state}`;
    log.warn({ provider, number: credential + 1, ...(model === null ? {} : { model }) }, kind);
    if (state !== 'rejected') return;
    metrics.providerAlert(kind, provider);
    alerts.rejected(change);
  });
}

/** The metrics of each model that was called, at each provider. */
export function showTargets(registry: Pick<ProviderRegistry, 'current'>, parts: ShownTargets): void {
  const { health, breakers, metrics } = parts;
  metrics.showTargets(() =>
    [...registry.current.providers.values()].flatMap((provider) =>
      [...health.namesOf(provider)].map((model) => ({
        provider: provider.name,
        model,
        pace: health.pace(provider, model),
        isResting: typeof breakers.readiness(provider, model) === 'object',
      })),
    ),
  );
}

export interface ShownTargets {
  readonly health: Pick<ProviderHealth, 'namesOf' | 'pace'>;
  readonly breakers: Pick<Breakers, 'readiness'>;
  readonly metrics: Pick<Metrics, 'showTargets'>;
}

export function openHealth(
  registry: Pick<ProviderRegistry, 'current' | 'onChange'>,
  parts: HealthParts,
): ProviderHealth {
  const health = new ProviderHealth(parts.clock, (change) => report(change, parts));
  const watch = () => health.watch(registry.current.providers.values());
  watch();
  registry.onChange(watch);
  return health;
}

/** A recovery has the same log level as the failure, so that everyone who saw one sees the other. */
function report({ provider, model, before, state, reason }: HealthChange, { metrics, log }: HealthParts): void {
  const subject = model === null ? 'provider' : 'model';
  const kind = `${subject}_${state === 'good' ? 'recovered' : state}`;
  if (isTrouble(state)) metrics.providerAlert(kind, provider);
  // A recovery does not repeat the last failure.
  const last =
    reason === null || !isTrouble(state)
      ? {}
      : { error: reason.code, status: reason.status, connectionError: reason.connectionError };
  log.warn({ provider, ...(model === null ? {} : { model }), before, state, ...last }, kind);
}
