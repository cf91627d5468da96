/** What the data plane works with; `app/app.ts` puts it together once, at start. */

import type { BadKeyLimiter } from '../accounts/bad-key-limiter.ts';
import type { KeyMirror } from '../accounts/key-mirror.ts';
import type { ScopeMirror } from '../accounts/scope-mirror.ts';
import type { Bank } from '../billing/bank.ts';
import type { CaptureRecorder } from '../capture/capture-recorder.ts';
import type { Catalog } from '../catalog/model.ts';
import type { Clock } from '../core/clock.ts';
import type { TurnQueue } from '../core/turn-queue.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { Provider } from '../providers/provider.ts';
import type { ReplayRegistry } from '../replay/replay-registry.ts';
import type { RecordStore } from '../stats/ports.ts';
import type { Refusals } from '../stats/refusals.ts';
import type { CallEntry } from '../telemetry/call-log.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { ProviderHealth } from '../telemetry/provider-health.ts';
import type { UpstreamClient } from '../upstream/client.ts';
import type { ClientAddress } from './arrival/client-address.ts';
import type { Tarpit } from './arrival/tarpit.ts';
import type { MemoryBudget } from './capacity/memory-budget.ts';
import type { ParseLimits } from './capacity/parse-limits.ts';
import type { RunningCalls } from './capacity/running-calls.ts';
import type { Watch } from './watch.ts';

export interface Gateway {
  readonly clock: Clock;
  readonly limits: GatewayLimits;
  readonly timeouts: GatewayTimeouts;
  readonly keys: KeyMirror;
  readonly scopes: ScopeMirror;
  readonly catalog: Catalog;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly upstream: UpstreamClient;
  /** Hears how every attempt at a target ended. */
  readonly health: ProviderHealth;
  readonly badKeyLimiter: BadKeyLimiter;
  readonly tarpit: Tarpit;
  readonly limiter: Limiter;
  readonly bank: Bank;
  /** Whether a model must have a price to be served. */
  readonly paidInAdvance: boolean;
  /** Requests that were refused before they became calls. */
  readonly refusals: Pick<Refusals, 'note'>;
  readonly records: RecordStore;
  readonly replays: ReplayRegistry;
  /** Takes the bodies of calls whose account lets them be kept. */
  readonly captures: Pick<CaptureRecorder, 'keep'>;
  readonly running: RunningCalls;
  /** For bodies of requests and answers. */
  readonly memory: MemoryBudget;
  readonly watch: Watch;
  /** Of calls whose request, or whose answer, has just become whole. */
  readonly turnQueues: { readonly requests: TurnQueue; readonly answers: TurnQueue };
  readonly clientAddress: ClientAddress;
  readonly log: Log;
  readonly logCall: (entry: CallEntry) => void;
  readonly metrics: Metrics;
  /** The address callers use, for hints: `http://127.0.0.1:8080`. */
  readonly publicUrl: () => string;
}

export interface GatewayLimits extends ParseLimits {
  readonly bodyBytesMax: number;
  readonly answerBytesMax: number;
  readonly inFlightMax: number;
  readonly headersMax: number;
}

export interface GatewayTimeouts {
  readonly firstByteStreamedMs: number;
  readonly firstByteMs: number;
  readonly idleMs: number;
  readonly writeStallMs: number;
  readonly totalMs: number;
  readonly pingMs: number;
}
