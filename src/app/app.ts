/** The composition root: the only file that knows every folder. Opens what a configuration asks for, closes it in reverse. */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { BadKeyLimiter } from '../accounts/bad-key-limiter.ts';
import { type FirstRun, prepareFirstRun } from '../accounts/bootstrap.ts';
import { KeyRegistry, type KeyTopics } from '../accounts/key-registry.ts';
import { openMirror } from '../accounts/open-mirror.ts';
import { Pepper } from '../accounts/pepper.ts';
import { ScopeRegistry } from '../accounts/scope-registry.ts';
import { buildControl } from '../api/control-plane.ts';
import { listenControl } from '../api/guard.ts';
import { healthOf } from '../api/management/providers/describe-health.ts';
import { DashboardFiles } from '../api/public/dashboard-files.ts';
import { LedgerBank } from '../billing/ledger-bank.ts';
import { welcome } from '../billing/welcome.ts';
import { CaptureBook } from '../capture/capture-book.ts';
import type { ProviderRegistry } from '../catalog/provider-registry.ts';
import type { Config, ConfigSource } from '../config/config.ts';
import { assert } from '../core/assert.ts';
import { basePathOf } from '../core/base-path.ts';
import { Bus } from '../core/bus.ts';
import { dayOf } from '../core/calendar.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import { placeDocsBelow } from '../core/errors.ts';
import { parseUsd } from '../core/money.ts';
import { TurnQueue } from '../core/turn-queue.ts';
import { VERSION } from '../core/version.ts';
import { KeyKeeper } from '../credentials/key-keeper.ts';
import { KeyRing } from '../credentials/key-ring.ts';
import { clientAddressBehind } from '../gateway/arrival/client-address.ts';
import { Tarpit } from '../gateway/arrival/tarpit.ts';
import { defaultMemoryBytes, MemoryBudget } from '../gateway/capacity/memory-budget.ts';
import { RunningCalls } from '../gateway/capacity/running-calls.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { Watch } from '../gateway/watch.ts';
import { Limiter } from '../limits/limiter.ts';
import { requestsBefore } from '../limits/requests-before.ts';
import { ReplayBook } from '../replay/replay-book.ts';
import { publicRoutes } from '../server/public-routes.ts';
import { buildServer } from '../server/server.ts';
import { PendingFirstReader } from '../stats/pending-first-reader.ts';
import { Recorder } from '../stats/recorder.ts';
import { Refusals } from '../stats/refusals.ts';
import { openDataFolder } from '../storage/folder/data-folder.ts';
import { warnOfExposure } from '../storage/folder/exposed-files.ts';
import { type OpenLog, openLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { openAuthorities } from '../upstream/authorities.ts';
import { UpstreamClient } from '../upstream/client.ts';
import { openHealth } from './open-health.ts';
import { openManagement } from './open-management.ts';
import { openProbe } from './open-probe.ts';
import { configuredProxies, openProviders } from './open-providers.ts';
import { openStorage } from './open-storage.ts';

export interface App {
  readonly gateway: Gateway;
  /** The control plane's handlers, for commands in this process. */
  readonly control: FastifyInstance;
  /** Whom calls may be sent to, and how that changes while they run. */
  readonly providers: ProviderRegistry;
  /** Bodies that accounts let be kept. */
  readonly captures: CaptureBook;
  /**
   * Makes the first key where there has never been one; null later. The secret is shown this once, so this is called when
   * nothing else can fail any more, and what it gives is printed at once.
   */
  begin(): Promise<FirstRun | null>;
  /** Where the first operator is made, good for a day, and only the newest; null once there is one, or without a dashboard. */
  setUpLink(): Promise<string | null>;
  /** Opens the public port and the control socket. */
  listen(): Promise<{ readonly url: string }>;
  /** Lets running calls end, then closes; what still runs at the deadline is cut. */
  drain(limits: { readonly graceMs: number; readonly deadlineMs: number }): Promise<void>;
  close(): Promise<void>;
}

export interface AppParts {
  readonly clock?: Clock;
  readonly log?: OpenLog;
  /** The file that the configuration was read from; null where there was none. */
  readonly configSource?: ConfigSource | null;
}

/** What the dashboard is built into. */
const WEB_FOLDER = join(import.meta.dirname, '..', '..', 'web', 'dist');
/** What routes do, as permissions name it. */
const OPERATIONS = ['chat'];
/** How long callers may take for the last bytes of their answers once everything has ended. */
const CLOSE_PATIENCE_MS = 1_000;
/** A call that has not ended so long after the longest one may take is not running any more. */
const AFTER_LONGEST_CALL_MS = 5 * 60_000;
const FORGET_EVERY_MS = 3_600_000;

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

  const folder = openDataFolder(config.dataFolder);
  closers.push(() => folder.close());
  const storage = await openStorage(config, {
    clock,
    onProblem: ({ type, count, cause }) => {
      metrics.alert(type);
      log.error({ count, cause: cause instanceof Error ? cause.message : null }, type);
    },
  });
  closers.push(() => storage.close());

  const pepper = new Pepper(storage.secrets.pepper);
  const mirror = await openMirror(storage.accounts, pepper, clock.now());
  const keyNews = new Bus<KeyTopics>();
  const keysMax = config.limits.keysPerAccountMax;
  const keyRegistry = new KeyRegistry({ store: storage.accounts, mirror, pepper, bus: keyNews, clock, keysMax });
  const loaded = await storage.ledger.load();
  const bank = new LedgerBank({
    store: storage.ledger,
    loaded,
    mode: config.billing.mode,
    clock,
    isWritable: () => storage.health() === 'ready',
  });
  const limiter = new Limiter({ clock, requestsToday: requestsBefore(loaded.spent, dayOf(clock.now())) });
  const pendingFirstRun = await prepareFirstRun(storage.accounts, keyRegistry, {
    clock,
    secret: config.bootstrapKey,
    welcome: (accountId) => welcome(bank, accountId, parseUsd(config.billing.firstRunCredit), clock.now()),
  });

  const { sealingKeys, ringStore } = storage.secrets;
  const [sealingKey, ...olderSealingKeys] = sealingKeys.map(({ secret }) => secret);
  assert(sealingKey !== undefined, 'a ring has an active key');
  const ring = new KeyRing([sealingKey, ...olderSealingKeys]);
  const { book, closeDemo } = await openProviders(config, {
    prices: storage.prices,
    store: storage.providers,
    sealer: ring,
    clock,
  });
  closers.push(closeDemo);
  const proxies = configuredProxies(config.upstream);
  const { caFile } = config.upstream;
  const secureContext = caFile === null ? null : openAuthorities(caFile);
  const upstream = new UpstreamClient({ clock, connectMs: config.timeouts.connectMs, proxies, secureContext });
  closers.push(() => upstream.close());
  const closeUnused = () =>
    upstream.keepOnly(new Set([...book.current.providers.values()].map(({ origin }) => origin)));
  book.onChange(closeUnused);
  const running = new RunningCalls(config.limits.inFlightMax);
  const memory = new MemoryBudget(config.limits.memoryBytes ?? defaultMemoryBytes());
  const metrics = new Metrics({ running, upstream, memory });
  closers.push(() => metrics.close());
  const health = openHealth(book, { clock, metrics, log });
  const watch = new Watch(clock);
  closers.push(() => watch.close());

  const records = new Recorder(storage.records);
  const refusals = new Refusals();
  const replays = new ReplayBook({
    sealingKey,
    olderSealingKeys,
    store: storage.ledger,
    clock,
    scopes: mirror.scopes,
    bytesMax: config.idempotency.bytesMax,
    onFull: () => {
      metrics.alert('replays_over_limit');
      log.error({ bytesMax: config.idempotency.bytesMax }, 'replays_over_limit');
    },
    runningMsMax: config.timeouts.totalMs + AFTER_LONGEST_CALL_MS,
  });
  await replays.load(clock.now());
  const keyKeeper = new KeyKeeper({
    ring,
    entries: sealingKeys,
    ringStore,
    store: storage.sealed,
    headsElsewhere: () => storage.captures.heads(),
    clock,
    onNewKey: (secret) => {
      replays.useKey(secret);
      log.info({ activeKey: ring.activeId }, 'sealing_key_rotated');
    },
  });
  await keyKeeper.resume().then(
    ({ unopened }) => {
      if (unopened.length > 0) log.error({ unopened }, 'sealed_values_not_opened');
    },
    // A full disk, say: what is sealed opens all the same, and the next start tries again.
    (error: Error) => log.error({ cause: error.message }, 'sealing_keys_not_resumed'),
  );
  const captures = new CaptureBook({
    store: storage.captures,
    sealer: ring,
    clock,
    retentionDaysOf: (id) => mirror.scopes.account(id).capture.retentionDays,
    onProblem: ({ type, count, cause }) => {
      metrics.alert(type);
      log.error({ count, cause: cause instanceof Error ? cause.message : null }, type);
    },
  });
  closers.push(() => captures.close());
  const forgetting = clock.every(FORGET_EVERY_MS, () => {
    replays
      .deleteExpired(clock.now())
      .catch((error: Error) => log.warn({ cause: error.message }, 'replays_not_deleted'));
  });
  closers.push(() => forgetting.cancel());

  const basePath = basePathOf(config.publicUrl);
  placeDocsBelow(basePath);
  let url: string | null = null;
  const gateway: Gateway = {
    clock,
    turnQueues: { requests: new TurnQueue(), answers: new TurnQueue() },
    limits: config.limits,
    timeouts: config.timeouts,
    keys: mirror,
    get catalog() {
      return book.current.catalog;
    },
    get providers() {
      return book.current.providers;
    },
    upstream,
    health,
    scopes: mirror.scopes,
    limiter,
    bank,
    badKeyLimiter: new BadKeyLimiter(
      { burst: config.limits.badKeysBurst, perSecond: config.limits.badKeysPerSecond },
      clock,
    ),
    tarpit: new Tarpit(clock),
    paidInAdvance: config.billing.mode === 'prepaid',
    records,
    refusals,
    replays,
    captures,
    running,
    memory,
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
  // Also providers that are not kept are tested.
  const probe = openProbe({ clock, log, upstream, health, afterwards: closeUnused });
  const scopes = new ScopeRegistry({ store: storage.accounts, mirror: mirror.scopes, clock });
  const stats = new PendingFirstReader(records, storage.stats);
  const status = () => ({
    reasons: reasons(),
    address: url,
    inFlight: running.count,
    memory,
    configSource: parts.configSource ?? null,
  });
  const proxyOf = (origin: string) => proxies.of(origin)?.origin ?? null;
  const { management, setUpLink, auditCommand, ...members } = await openManagement({
    config,
    gateway,
    storage,
    keys: keyRegistry,
    scopes,
    bank,
    books: storage.maintenance,
    limiter,
    providers: book,
    records,
    refusals,
    stats,
    captures,
    sealer: ring,
    operations: OPERATIONS,
    testConnection: probe,
    keyKeeper,
    proxyOf,
    status,
  });
  closers.push(() => members.close());
  const control = buildControl(
    {
      version: VERSION,
      clock,
      keys: keyRegistry,
      scopes,
      operations: OPERATIONS,
      bank,
      ledger: storage.ledger,
      books: storage.maintenance,
      projects: () => storage.accounts.projects(),
      get catalog() {
        return book.current.catalog;
      },
      providers: book,
      keyKeeper,
      records,
      healthOf: (name) => healthOf(health, book.current.providers.get(name)),
      proxyOf,
      testConnection: probe,
      audit: auditCommand,
      status,
    },
    management,
  );
  closers.push(() => control.close());

  const files = config.dashboard.enabled ? new DashboardFiles(WEB_FOLDER, basePath) : null;
  const server = buildServer(
    gateway,
    { headerBytesMax: config.limits.headerBytesMax, headersMs: config.timeouts.headersMs, basePath },
    publicRoutes(gateway, {
      reasons,
      metricsToken: config.metrics.token,
      version: VERSION,
      publicUrl: config.publicUrl,
      stats,
      prices: storage.prices,
    }),
    files === null ? null : { management, files },
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
    providers: book,
    captures,
    begin: async () => {
      // A key may have been made by somebody else since: over the socket, or in the dashboard.
      for (const _key of keyRegistry.list()) return null;
      return pendingFirstRun?.makeKey() ?? null;
    },
    setUpLink: async () => (config.dashboard.enabled ? setUpLink() : null),
    async listen() {
      await server.listen({ host: config.host, port: config.port });
      const { port } = server.server.address() as AddressInfo;
      url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
      await listenControl(control, folder.controlSocketPath);
      warnOfExposure(log, config.dataFolder);
      return { url };
    },
    async drain(limits) {
      await running.drain(clock, limits);
      await close();
    },
    close,
  };
}
