/** Tests the connection to a provider on request. */
import type { Clock } from '../core/clock.ts';
import { CREDENTIAL_ECHOED } from '../gateway/exchange/credential-echo.ts';
import { type TestConnection, testConnection } from '../probe/test-connection.ts';
import type { Log } from '../telemetry/log.ts';
import type { ProviderHealth } from '../telemetry/provider-health.ts';
import type { UpstreamClient } from '../upstream/client.ts';

const TIMEOUT_MS = 10_000;
const BYTES_MAX = 8 * 1024 * 1024;

export interface ProbeAround {
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  readonly upstream: Pick<UpstreamClient, 'request'>;
  readonly health: Pick<ProviderHealth, 'reached'>;
  /** Called after every test, whatever its result. */
  afterwards(): void;
}

export function openProbe(around: ProbeAround): TestConnection {
  const { clock, log, upstream, health, afterwards } = around;
  return async (provider, { endsTrouble }) => {
    try {
      const report = await testConnection(provider, {
        clock,
        timeoutMs: TIMEOUT_MS,
        onEcho: (name) => log.warn({ provider: name, where: 'list of models' }, CREDENTIAL_ECHOED),
        send: ({ timeoutMs, ...request }) =>
          upstream.request({ ...request, body: null }, { timeoutMs, bytesMax: BYTES_MAX }),
      });
      if (report.ok && endsTrouble) health.reached(provider);
      return report;
    } finally {
      afterwards();
    }
  };
}
