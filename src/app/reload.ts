/** Takes over a configuration that was read again: what can change while calls run changes, the rest is named and left. */
import type { RateBook } from '../billing/rates.ts';
import { changedOptions, withLiveOptions } from '../config/changed-options.ts';
import type { Config, LoadedConfig } from '../config/config.ts';
import type { ConfigSource } from '../config/config-source.ts';
import { Serial } from '../core/serial.ts';
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
  readonly warnOfUnknown: (config: Config) => void;
  /** Says to other nodes how this one is configured. */
  readonly noteSettings: (config: Config) => Promise<void>;
  readonly log: Pick<Log, 'info' | 'error'>;
}

/** Reads the configuration again. Throws `ConfigError` if it is wrong. */
export type Reread = () => LoadedConfig;

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
  const { live, running, replaceProviders, rates, log } = parts;
  const { config, source } = reread();
  const { live: changed, needRestart } = changedOptions(live.config, config);
  const next = withLiveOptions(live.config, config);
  if (changed.includes('providers')) await replaceProviders(next.providers);
  if (changed.some((option) => option.startsWith('billing.'))) rates.replace(installationRates(next.billing));
  live.config = next;
  live.source = source;
  running.setLimits(next.limits.inFlightMax, next.limits);
  log.info({ changed, needRestart }, 'configuration_reloaded');
  parts.warnOfUnknown(next);
  // A database that is away learns it with the node's next place; only `doctor` asks for it.
  await parts.noteSettings(next).catch(() => undefined);
}
