/** The data plane, of the parts that are open. */
import { BadKeyLimiter } from '../accounts/bad-key-limiter.ts';
import type { CaptureRecorder } from '../capture/capture-recorder.ts';
import type { ProviderRegistry } from '../catalog/provider-registry.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { TurnQueue } from '../core/turn-queue.ts';
import { clientAddressBehind } from '../gateway/arrival/client-address.ts';
import { Tarpit } from '../gateway/arrival/tarpit.ts';
import type { MemoryBudget } from '../gateway/capacity/memory-budget.ts';
import type { RunningCalls } from '../gateway/capacity/running-calls.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { Watch } from '../gateway/watch.ts';
import type { ReplayRegistry } from '../replay/replay-registry.ts';
import type { Recorder } from '../stats/recorder.ts';
import type { Refusals } from '../stats/refusals.ts';
import type { OpenLog } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { ProviderHealth } from '../telemetry/provider-health.ts';
import type { UpstreamClient } from '../upstream/client.ts';
import type { ListeningAddress } from './listening-address.ts';
import type { Accounts } from './open-accounts.ts';
import type { MoneyAndLimits } from './open-money.ts';

export interface GatewayParts extends MoneyAndLimits {
  readonly clock: Clock;
  readonly telemetry: OpenLog;
  readonly metrics: Metrics;
  readonly accounts: Accounts;
  readonly providers: ProviderRegistry;
  readonly health: ProviderHealth;
  readonly upstream: UpstreamClient;
  readonly running: RunningCalls;
  readonly memory: MemoryBudget;
  readonly watch: Watch;
  readonly records: Recorder;
  readonly refusals: Refusals;
  readonly replays: ReplayRegistry;
  readonly captures: CaptureRecorder;
  readonly address: ListeningAddress;
}

/** A key that is revoked at once ends its calls, too. */
export function buildGateway(config: Config, parts: GatewayParts): Gateway {
  const { clock, telemetry, accounts, providers, running, address } = parts;
  const { badKeysBurst, badKeysPerSecond } = config.limits;
  accounts.feed.subscribe('cut', (id) => running.cutKey(id));
  return {
    clock,
    turnQueues: { requests: new TurnQueue(), answers: new TurnQueue() },
    limits: config.limits,
    timeouts: config.timeouts,
    keys: accounts.mirror,
    scopes: accounts.mirror.scopes,
    get catalog() {
      return providers.current.catalog;
    },
    get providers() {
      return providers.current.providers;
    },
    upstream: parts.upstream,
    health: parts.health,
    limiter: parts.limiter,
    bank: parts.bank,
    badKeyLimiter: new BadKeyLimiter({ burst: badKeysBurst, perSecond: badKeysPerSecond }, clock),
    tarpit: new Tarpit(clock),
    paidInAdvance: config.billing.mode === 'prepaid',
    records: parts.records,
    refusals: parts.refusals,
    replays: parts.replays,
    captures: parts.captures,
    running,
    memory: parts.memory,
    watch: parts.watch,
    clientAddress: clientAddressBehind(config.trustProxy),
    log: telemetry.log,
    logCall: telemetry.logCall,
    metrics: parts.metrics,
    publicUrl: () => address.publicUrl(),
  };
}
