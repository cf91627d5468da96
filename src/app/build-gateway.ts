/** Builds the data plane from opened parts. */
import { BadKeyLimiter } from '../accounts/bad-key-limiter.ts';
import type { KeyMirror } from '../accounts/key-mirror.ts';
import type { KeyNews } from '../accounts/key-news.ts';
import type { ScopeMirror } from '../accounts/scope-mirror.ts';
import type { CallersBatches } from '../batches/callers-batches.ts';
import type { Bank } from '../billing/bank.ts';
import type { RateBook } from '../billing/rates.ts';
import { OwnCandidates } from '../byok/own-candidates.ts';
import type { OwnCredentialRegistry } from '../byok/own-credential-registry.ts';
import type { OwnCredentialId, OwnStanding } from '../byok/ports.ts';
import type { CaptureRecorder } from '../capture/capture-recorder.ts';
import type { AliasMirror } from '../catalog/alias-mirror.ts';
import type { Catalog } from '../catalog/model.ts';
import type { ProviderRegistry } from '../catalog/provider-registry.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../core/clock.ts';
import { TurnQueue } from '../core/turns/turn-queue.ts';
import type { CallersFiles } from '../files/callers-files.ts';
import { type ClientAddress, clientAddressBehind } from '../gateway/arrival/client-address.ts';
import { Tarpit } from '../gateway/arrival/tarpit.ts';
import type { MemoryBudget } from '../gateway/capacity/memory-budget.ts';
import type { RunningCalls } from '../gateway/capacity/running-calls.ts';
import type { StoredAnswers } from '../gateway/stored/stored-answers.ts';
import type { Watch } from '../gateway/watch.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { Provider } from '../providers/provider.ts';
import type { ReplayRegistry } from '../replay/replay-registry.ts';
import { CacheKeys } from '../response-cache/cache-key.ts';
import type { ResponseCache } from '../response-cache/response-cache.ts';
import type { Breakers } from '../routing/breaker/breakers.ts';
import type { OwnCredential } from '../routing/own-credential.ts';
import { PLAIN_ROUTING, type RoutingPorts } from '../routing/ports.ts';
import { RetryBudget } from '../routing/retry-budget.ts';
import type { Sticky } from '../routing/sticky.ts';
import type { RecordStore } from '../stats/ports.ts';
import type { Recorder } from '../stats/recorder.ts';
import type { Refusals } from '../stats/refusals.ts';
import type { CallEntry } from '../telemetry/call-log.ts';
import type { Log, OpenLog } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { ProviderHealth } from '../telemetry/provider-health.ts';
import type { UpstreamClient } from '../upstream/client.ts';
import type { ListeningAddress } from './listening-address.ts';
import type { CredentialAlerts } from './mail/open-credential-alerts.ts';
import type { Accounts } from './open-accounts.ts';
import type { MoneyAndLimits } from './open-money.ts';
import type { LiveConfig } from './reload.ts';

/** What the data plane works with; each of its steps takes the parts that it declares (`gateway/serve-call.ts`). */
export interface Gateway {
  readonly clock: Clock;
  readonly limits: Config['limits'];
  readonly batchLimits: Config['batches'];
  readonly timeouts: Config['timeouts'];
  readonly keys: KeyMirror;
  /** Where keys that are unknown here may have become known; null for a single node. */
  readonly keyNews: KeyNews | null;
  readonly isStorageTrouble: (error: unknown) => boolean;
  readonly scopes: ScopeMirror;
  readonly catalog: Catalog;
  readonly providers: ReadonlyMap<string, Provider>;
  /** What choosing among candidates asks others. */
  readonly routing: RoutingPorts;
  /** Names that lead to models. */
  readonly aliases: AliasMirror;
  readonly upstream: UpstreamClient;
  /** Receives the outcome of every attempt. */
  readonly health: ProviderHealth;
  readonly breakers: Breakers;
  /** Notes how the last use of an own credential went, for its owner. */
  readonly noteOwn: (credential: OwnCredential, standing: OwnStanding, status: number | null) => void;
  /** Of all calls of this process. */
  readonly retries: RetryBudget;
  readonly badKeyLimiter: BadKeyLimiter;
  readonly tarpit: Tarpit;
  readonly limiter: Limiter;
  readonly bank: Bank;
  readonly rates: RateBook;
  /** Whether a model must have a price to be served. */
  readonly paidInAdvance: boolean;
  /** Requests that were refused before they became calls. */
  readonly refusals: Pick<Refusals, 'note'>;
  readonly records: RecordStore;
  readonly replays: ReplayRegistry;
  /** Answers that equal requests get again. */
  readonly responseCache: ResponseCache;
  readonly cacheKeys: CacheKeys;
  /** What providers keep of answers, by project. */
  readonly stored: StoredAnswers;
  /** Files of callers, by project. */
  readonly files: CallersFiles;
  readonly batches: CallersBatches;
  /** Stores the bodies of calls if their account enables this. */
  readonly captures: Pick<CaptureRecorder, 'keep'>;
  readonly running: RunningCalls;
  /** For bodies of requests and answers. */
  readonly memory: MemoryBudget;
  readonly watch: Watch;
  /** For calls whose request, or whose answer, has just completed. */
  readonly turnQueues: { readonly requests: TurnQueue; readonly answers: TurnQueue };
  readonly clientAddress: ClientAddress;
  readonly log: Log;
  readonly logCall: (entry: CallEntry) => void;
  readonly metrics: Metrics;
  /** The base URL that callers use, for hints: `http://127.0.0.1:8080`. */
  readonly publicUrl: () => string;
}

export interface GatewayParts extends MoneyAndLimits {
  readonly clock: Clock;
  readonly telemetry: OpenLog;
  readonly metrics: Metrics;
  readonly accounts: Accounts;
  readonly keyNews: KeyNews | null;
  readonly isStorageTrouble: (error: unknown) => boolean;
  readonly providers: ProviderRegistry;
  readonly aliases: AliasMirror;
  readonly own: OwnCredentialRegistry;
  readonly health: ProviderHealth;
  readonly breakers: Breakers;
  /** Where conversations were served. */
  readonly sticky: Sticky;
  readonly alerts: Pick<CredentialAlerts, 'ownRejected'>;
  readonly upstream: UpstreamClient;
  readonly running: RunningCalls;
  readonly memory: MemoryBudget;
  readonly watch: Watch;
  readonly records: Recorder;
  readonly refusals: Refusals;
  readonly replays: ReplayRegistry;
  readonly responseCache: ResponseCache;
  readonly stored: StoredAnswers;
  readonly files: CallersFiles;
  readonly batches: CallersBatches;
  readonly captures: CaptureRecorder;
  readonly address: ListeningAddress;
}

/** Also subscribes to keys that are revoked with their running calls. `live` has the limits that new calls are judged by. */
export function buildGateway(config: Config, live: LiveConfig, parts: GatewayParts): Gateway {
  const { clock, telemetry, accounts, providers, running, address } = parts;
  const { badKeysBurst, badKeysPerSecond } = config.limits;
  accounts.feed.subscribe('cut', (id) => running.cutKey(id));
  return {
    clock,
    turnQueues: { requests: new TurnQueue(), answers: new TurnQueue() },
    get limits() {
      return live.config.limits;
    },
    get batchLimits() {
      return live.config.batches;
    },
    get timeouts() {
      return live.config.timeouts;
    },
    keys: accounts.mirror,
    keyNews: parts.keyNews,
    isStorageTrouble: parts.isStorageTrouble,
    scopes: accounts.mirror.scopes,
    get catalog() {
      return providers.current.catalog;
    },
    get providers() {
      return providers.current.providers;
    },
    routing: {
      ...PLAIN_ROUTING,
      own: new OwnCandidates({ registry: parts.own, clock }),
      aliases: {
        find: (name, caller) => parts.aliases.find(name, caller),
        inForce: (caller) => parts.aliases.inForce(caller),
        random: Math.random,
      },
      sticky: parts.sticky,
      health: {
        readiness: (provider, model) => parts.breakers.readiness(provider, model),
        isCredentialResting: (provider, model) => parts.breakers.isCredentialResting(provider, model),
        pace: (provider, model) => parts.health.pace(provider, model),
      },
    },
    aliases: parts.aliases,
    upstream: parts.upstream,
    health: parts.health,
    breakers: parts.breakers,
    noteOwn: noteOwnIn(parts),
    retries: new RetryBudget(clock),
    limiter: parts.limiter,
    bank: parts.bank,
    rates: parts.rates,
    badKeyLimiter: new BadKeyLimiter({ burst: badKeysBurst, perSecond: badKeysPerSecond }, clock),
    tarpit: new Tarpit(clock),
    paidInAdvance: config.billing.mode === 'prepaid',
    records: parts.records,
    refusals: parts.refusals,
    replays: parts.replays,
    responseCache: parts.responseCache,
    cacheKeys: new CacheKeys(),
    stored: parts.stored,
    files: parts.files,
    batches: parts.batches,
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

/** A rejection that was not known before alerts the credential's owners. */
function noteOwnIn({ own, alerts, telemetry }: GatewayParts): Gateway['noteOwn'] {
  const note = async ({ id, service }: OwnCredential, standing: OwnStanding, status: number | null) => {
    const written = await own.note(id as OwnCredentialId, standing);
    if (written !== null && standing === 'rejected')
      alerts.ownRejected(written, service.credentialMarks[0] ?? '', status);
  };
  return (credential, standing, status) =>
    void note(credential, standing, status).catch((error: Error) =>
      telemetry.log.warn({ cause: error.message }, 'own_credential_not_noted'),
    );
}
