/** The composition root: the only file that knows every folder. Opens what a configuration asks for, closes it in reverse. */
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { bootstrap, type FirstRun } from './accounts/bootstrap.ts';
import { Guessing } from './accounts/guessing.ts';
import { KeyBook, type KeyTopics } from './accounts/key-book.ts';
import { openMirror } from './accounts/open-mirror.ts';
import { Pepper } from './accounts/pepper.ts';
import { ScopeBook } from './accounts/scope-book.ts';
import { listenControl } from './api/guard.ts';
import { buildControl } from './api/routes.ts';
import type { Bank } from './billing/bank.ts';
import { LedgerBank } from './billing/ledger-bank.ts';
import type { LoadedLedger, SpentSoFar } from './billing/ports.ts';
import { openBooks } from './cli/open-books.ts';
import type { Config } from './config.ts';
import { Bus } from './core/bus.ts';
import { dayOf } from './core/calendar.ts';
import { type Clock, systemClock } from './core/clock.ts';
import type { AccountId } from './core/ids.ts';
import { type Money, parseUsd } from './core/money.ts';
import { clientAddressBehind } from './gateway/client-address.ts';
import type { Gateway } from './gateway/gateway.ts';
import { RunningCalls } from './gateway/running-calls.ts';
import { Watch } from './gateway/watch.ts';
import { Limiter, type LimiterParts } from './limits/limiter.ts';
import { openProviders } from './open-providers.ts';
import { testConnection } from './probe/test-connection.ts';
import { publicRoutes } from './public-routes.ts';
import { ReplayBook } from './replay/replay-book.ts';
import { buildServer } from './server.ts';
import { RecentFirst } from './stats/recent-first.ts';
import { Recorder } from './stats/recorder.ts';
import { openDataFolder } from './storage/data-folder.ts';
import { storages } from './storage/index.ts';
import { type OpenLog, openLog } from './telemetry/log.ts';
import { Metrics } from './telemetry/metrics.ts';
import { UpstreamClient } from './upstream/client.ts';
import { VERSION } from './version.ts';

export interface App {
  readonly gateway: Gateway;
  /** The control plane's handlers, for commands in this process. */
  readonly control: FastifyInstance;
  /** What a first run made, the only time the key is shown; null later. */
  readonly firstRun: FirstRun | null;
  /** Opens the public port and the control socket. */
  listen(): Promise<{ readonly url: string }>;
  /** Lets running calls end, then closes; what still runs at the deadline is cut. */
  drain(limits: { readonly graceMs: number; readonly deadlineMs: number }): Promise<void>;
  close(): Promise<void>;
}

export interface AppParts {
  readonly clock?: Clock;
  readonly log?: OpenLog;
}

/** What routes do, as permissions name it. */
const OPERATIONS = ['chat'];
/** How long callers may take for the last bytes of their answers once everything has ended. */
const CLOSE_PATIENCE_MS = 1_000;
/** A call that has not ended so long after the longest one may take is not running any more. */
const AFTER_LONGEST_CALL_MS = 5 * 60_000;
const FORGET_EVERY_MS = 3_600_000;
const PROBE_TIMEOUT_MS = 10_000;
const PROBE_BYTES_MAX = 8 * 1024 * 1024;

/** Throws when the data folder is another process's, or the configuration cannot be served. */
export async function openApp(config: Config, parts: AppParts = {}): Promise<App> {
  const closers: (() => unknown)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    return await open(config, parts, closers, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  config: Config,
  parts: AppParts,
  closers: (() => unknown)[],
  close: () => Promise<void>,
): Promise<App> {
  const clock = parts.clock ?? systemClock;
  const { log, logCall, flush } = parts.log ?? openLog(config.log);
  closers.push(flush);

  const folder = openDataFolder({
    path: config.dataFolder,
    pepper: config.pepper,
    sealingKey: config.sealingKey,
  });
  closers.push(() => folder.close());
  const storage = await storages.sqlite({
    folder: config.dataFolder,
    clock,
    durability: config.durability,
    recordsBytesMax: config.records.bytesMax,
    onProblem: ({ type, count, cause }) => {
      metrics.alert(type);
      log.error({ count, cause: cause instanceof Error ? cause.message : null }, type);
    },
  });
  closers.push(() => storage.close());

  const pepper = new Pepper(folder.pepper);
  const mirror = await openMirror(storage.accounts, pepper, clock.now());
  const keyNews = new Bus<KeyTopics>();
  const keyBook = new KeyBook({ store: storage.accounts, mirror, pepper, bus: keyNews, clock });
  const loaded = await storage.ledger.load();
  const bank = new LedgerBank({
    store: storage.ledger,
    loaded,
    mode: config.billing.mode,
    clock,
    isWritable: () => storage.health() === 'ready',
  });
  const limiter = new Limiter({ clock, requestsToday: requestsBefore(loaded, dayOf(clock.now())) });
  const firstRun = await bootstrap(storage.accounts, keyBook, {
    clock,
    billingMode: config.billing.mode,
    secret: config.bootstrapKey,
    welcome: (accountId) => welcome(bank, accountId, parseUsd(config.billing.firstRunCredit), clock.now()),
  });

  const { providers, catalog, closeDemo } = await openProviders(config, storage.prices, clock);
  closers.push(closeDemo);
  const upstream = new UpstreamClient({ clock, connectMs: config.timeouts.connectMs });
  closers.push(() => upstream.close());
  const running = new RunningCalls(config.limits.inFlightMax);
  const metrics = new Metrics({ running: () => running.count, upstreamConnections: () => upstream.connections() });
  closers.push(() => metrics.close());
  const watch = new Watch(clock);
  closers.push(() => watch.close());

  const records = new Recorder(storage.records);
  const replays = new ReplayBook({
    sealingKey: folder.sealingKey,
    store: storage.ledger,
    clock,
    runningMsMax: config.timeouts.totalMs + AFTER_LONGEST_CALL_MS,
  });
  await replays.load(clock.now());
  const forgetting = clock.every(FORGET_EVERY_MS, () => {
    replays
      .deleteExpired(clock.now())
      .catch((error: Error) => log.warn({ cause: error.message }, 'replays_not_deleted'));
  });
  closers.push(() => forgetting.cancel());

  let url: string | null = null;
  const gateway: Gateway = {
    clock,
    limits: config.limits,
    timeouts: config.timeouts,
    keys: mirror,
    catalog,
    providers,
    upstream,
    scopes: mirror.scopes,
    limiter,
    bank,
    guessing: new Guessing({ burst: config.limits.badKeysBurst, perSecond: config.limits.badKeysPerSecond }, clock),
    paidInAdvance: config.billing.mode === 'prepaid',
    records,
    replays,
    running,
    watch,
    clientAddress: clientAddressBehind(config.trustProxy),
    log,
    logCall,
    metrics,
    publicUrl: () => config.publicUrl ?? url ?? `http://${config.host}:${config.port}`,
  };

  keyNews.subscribe('key-revoked', ({ key, cut }) => {
    if (cut) running.cutKey(key.id);
  });

  const reasons = () => {
    const health = storage.health();
    return [...(running.draining ? ['draining'] : []), ...(health === 'ready' ? [] : [health.problem])];
  };
  const books = openBooks({
    folder: config.dataFolder,
    billingMode: config.billing.mode,
    longestCallMs: config.timeouts.totalMs,
    version: VERSION,
    clock,
  });
  closers.push(() => books.close());
  const control = buildControl({
    version: VERSION,
    clock,
    keys: keyBook,
    scopes: new ScopeBook({ store: storage.accounts, mirror: mirror.scopes, clock }),
    operations: OPERATIONS,
    bank,
    ledger: storage.ledger,
    books,
    projects: () => storage.accounts.projects(),
    catalog,
    providers: [...providers.values()],
    records,
    testConnection: (provider) =>
      testConnection(provider, {
        clock,
        timeoutMs: PROBE_TIMEOUT_MS,
        send: ({ timeoutMs, ...request }) =>
          upstream.request({ ...request, body: null }, { timeoutMs, bytesMax: PROBE_BYTES_MAX }),
      }),
    status: () => ({ ready: reasons().length === 0, reasons: reasons(), address: url, inFlight: running.count }),
  });
  closers.push(() => control.close());

  const server = buildServer(
    gateway,
    { headerBytesMax: config.limits.headerBytesMax, headersMs: config.timeouts.headersMs },
    publicRoutes(gateway, {
      reasons,
      metricsToken: config.metrics.token,
      version: VERSION,
      publicUrl: config.publicUrl,
      stats: new RecentFirst(records, storage.stats),
      prices: storage.prices,
    }),
  );
  closers.push(async () => {
    running.cutAll();
    const closed = server.close();
    // A connection that is half way through its headers counts as busy to Node, and would be waited for for ever.
    const patience = clock.after(CLOSE_PATIENCE_MS, () => server.server.closeAllConnections());
    await closed;
    patience.cancel();
  });

  return {
    gateway,
    control,
    firstRun,
    async listen() {
      await server.listen({ host: config.host, port: config.port });
      const { port } = server.server.address() as AddressInfo;
      url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
      await listenControl(control, folder.controlSocketPath);
      return { url };
    },
    async drain(limits) {
      await running.drain(clock, limits);
      await close();
    },
    close,
  };
}

const FIRST_RUN_REFERENCE = 'first-run';

/** What a new installation has to try things with; posted once, however often a first run is interrupted. */
async function welcome(bank: Bank, accountId: AccountId, amount: Money, at: number): Promise<void> {
  if (bank.mode === 'off' || amount === 0n) return;
  const entry = { accountId, kind: 'promo', amount, reference: FIRST_RUN_REFERENCE, callId: null } as const;
  await bank.post({ ...entry, note: 'credit of the first run', at });
}

/** Requests of the current day, as the ledger remembers them. */
function requestsBefore(loaded: LoadedLedger, today: number): LimiterParts['requestsToday'] {
  const spent = { key: loaded.spent.keys, project: loaded.spent.projects, account: loaded.spent.accounts };
  return (scope, id) => {
    const found = (spent[scope] as ReadonlyMap<number, SpentSoFar>).get(id);
    return found?.day === today ? found.callsToday : 0;
  };
}
