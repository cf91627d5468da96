/** Takes over a configuration that was read again: what can change while calls run changes, the rest is named and left. */
import type { RateBook } from '../billing/rates.ts';
import { changedOptions, isSame, withLiveOptions } from '../config/changed-options.ts';
import type { Config, LoadedConfig } from '../config/config.ts';
import type { ConfigSource } from '../config/config-source.ts';
import type { Clock } from '../core/clock.ts';
import { Serial } from '../core/serial.ts';
import { runInTurns, type Steps } from '../core/turns/steps.ts';
import type { RunningCalls } from '../gateway/capacity/running-calls.ts';
import type { Log } from '../telemetry/log.ts';
import { installationRates } from './installation-rates.ts';

/** The configuration in effect: what reads it for each call reads it here. */
export interface LiveConfig {
  config: Config;
  source: ConfigSource | null;
}

export interface ReloadParts {
  readonly live: LiveConfig;
  readonly running: Pick<RunningCalls, 'setLimits'>;
  readonly replaceProviders: (entries: Config['providers']) => Promise<void>;
  readonly rates: Pick<RateBook, 'replace'>;
  /** Ids in the configuration that no model has. */
  readonly warnOfUnknown: (config: Config) => Promise<void>;
  /** Says to other nodes how this one is configured. */
  readonly noteSettings: (config: Config) => Promise<void>;
  readonly log: Pick<Log, 'info' | 'error'>;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** Reads the configuration again, in steps between which calls are served. Throws `ConfigError` if it is wrong. */
export type Reread = () => Steps<LoadedConfig>;

/** One after the other. Never rejects: a configuration that cannot be served is logged, and everything stays as it is. */
export function reloader(parts: ReloadParts): (reread: Reread) => Promise<void> {
  const serial = new Serial();
  return (reread) =>
    serial
      .run(() => reload(parts, reread))
      .catch((error: unknown) => {
        // Problems name options and places, never the values of secrets.
        parts.log.error({ problem: (error as Error).message }, 'configuration_not_reloaded');
      });
}

async function reload(parts: ReloadParts, reread: Reread): Promise<void> {
  const { live, running, replaceProviders, rates, log, clock } = parts;
  const { config: read, source } = await runInTurns(reread(), clock);
  const config = await runInTurns(keepProviders(live.config, read), clock);
  const { live: changed, needRestart } = changedOptions(live.config, config);
  const next = withLiveOptions(live.config, config);
  if (changed.includes('providers')) await replaceProviders(next.providers);
  if (changed.some((option) => option.startsWith('billing.'))) rates.replace(installationRates(next.billing));
  live.config = next;
  live.source = source;
  running.setLimits(next.limits.inFlightMax, next.limits);
  log.info({ changed, needRestart }, 'configuration_reloaded');
  await parts.warnOfUnknown(next);
  // A database that is away learns it with the node's next place; only `doctor` asks for it.
  await parts.noteSettings(next).catch(() => undefined);
}

/** `after` with the providers of `before` that are the same, so that what follows need not compare their models again. */
function* keepProviders(before: Config, after: Config): Steps<Config> {
  const known = new Map(before.providers.map((provider) => [provider.name, provider]));
  const providers: Config['providers'][number][] = [];
  for (const provider of after.providers) {
    const same = known.get(provider.name);
    providers.push(same !== undefined && isSame(same, provider) ? same : provider);
    yield;
  }
  return { ...after, providers };
}
