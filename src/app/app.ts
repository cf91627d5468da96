/** The composition root: the only file that knows every folder. Opens what a configuration asks for, closes it in reverse. */
import type { FastifyInstance } from 'fastify';
import { type FirstRun, prepareFirstRun } from '../accounts/first-run.ts';
import { buildControl } from '../api/control-plane.ts';
import { listenControl } from '../api/control-socket.ts';
import { welcome } from '../billing/welcome.ts';
import { CaptureRecorder } from '../capture/capture-recorder.ts';
import type { ProviderRegistry } from '../catalog/provider-registry.ts';
import type { Config } from '../config/config.ts';
import type { ConfigSource } from '../config/config-source.ts';
import { assert } from '../core/assert.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import { parseUsd } from '../core/money.ts';
import { openWhole } from '../core/open-whole.ts';
import { runInTurns } from '../core/turns/steps.ts';
import { ownDescriptors } from '../gateway/capacity/descriptor-limit.ts';
import type { LoadMeasures } from '../gateway/capacity/load-guard.ts';
import { defaultMemoryBytes, MemoryBudget } from '../gateway/capacity/memory-budget.ts';
import { RunningCalls } from '../gateway/capacity/running-calls.ts';
import { LineCalls } from '../gateway/lines/line-calls.ts';
import { lineHandler } from '../gateway/routes.ts';
import { Watch } from '../gateway/watch.ts';
import { SyncedClock } from '../nodes/session/synced-clock.ts';
import type { Outside } from '../providers/outside.ts';
import { ResponseCache } from '../response-cache/response-cache.ts';
import { prepareHints } from '../routing/nearest-models.ts';
import { Sticky } from '../routing/sticky.ts';
import { ConnectionGuard } from '../server/connection-guard.ts';
import { followOthers } from '../stats/follow-others.ts';
import { PendingFirstReader } from '../stats/pending-first-reader.ts';
import { Recorder } from '../stats/recorder.ts';
import { Refusals } from '../stats/refusals.ts';
import { openDataFolder } from '../storage/folder/data-folder.ts';
import { warnOfExposure } from '../storage/folder/exposed-files.ts';
import { ProcessLoad } from '../telemetry/load-measures.ts';
import { type OpenLog, openLog } from '../telemetry/log.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { buildGateway, type Gateway } from './build-gateway.ts';
import { gatewayLoad } from './gateway-load.ts';
import { ListeningAddress } from './listening-address.ts';
import { openCredentialAlerts } from './mail/open-credential-alerts.ts';
import { openMailer } from './mail/open-mailer.ts';
import { nodeSettings } from './nodes/node-settings.ts';
import { openNode } from './nodes/open-node.ts';
import { openShared } from './nodes/open-shared.ts';
import { openAccounts } from './open-accounts.ts';
import { openAliases } from './open-aliases.ts';
import { openBreakers, openHealth, showTargets } from './open-health.ts';
import { openManagement } from './open-management.ts';
import { openMoney } from './open-money.ts';
import { openOwnCredentials } from './open-own-credentials.ts';
import { openProbe } from './open-probe.ts';
import { openProviders } from './open-providers.ts';
import { openRotation, openSealing } from './open-sealing.ts';
import { openServer, type ServerParts } from './open-server.ts';
import { openStorage } from './open-storage.ts';
import { openUpstream } from './open-upstream.ts';
import { type LiveConfig, type Reread, reloader } from './reload.ts';
import { problemReporter } from './report-problem.ts';
import { openBatches } from './stored/open-batches.ts';
import { openFiles } from './stored/open-files.ts';
import { openReplays } from './stored/open-replays.ts';
import { openStoredAnswers } from './stored/open-stored-answers.ts';
import { warnOfUnknownModels } from './warn-of-unknown-models.ts';

export interface App {
  readonly gateway: Gateway;
  /** The control plane's handlers, for commands in this process. */
  readonly control: FastifyInstance;
  /** The providers that calls may be sent to, and how they change while calls run. */
  readonly providers: ProviderRegistry;
  /** Stored bodies of accounts that enable this. */
  readonly captures: CaptureRecorder;
  /**
   * Creates the first key if there has never been one; otherwise null. The secret is shown only once, so call this when nothing else can
   * fail any more, and print the result immediately.
   */
  begin(): Promise<FirstRun | null>;
  /** A link that creates the first operator, valid for a day; a new link replaces it. Null if there is an operator, or no dashboard. */
  setUpLink(): Promise<string | null>;
  /** Opens the public port and the control socket. */
  listen(): Promise<{ readonly url: string }>;
  /** Reads the configuration again, and takes over what can change while calls run. Never rejects: what is wrong is logged. */
  reload(reread: Reread): Promise<void>;
  /** The time limits now in effect. */
  readonly timeouts: Config['timeouts'];
  /** Waits for running calls, then closes; calls that still run at the deadline are cut. */
  drain(limits: { readonly graceMs: number; readonly deadlineMs: number }): Promise<void>;
  close(): Promise<void>;
}

export interface AppParts {
  /** Whether it serves, or is opened for one command, which on a database is no node; default: `node`. */
  readonly role?: 'node' | 'command';
  readonly clock?: Clock;
  readonly log?: OpenLog;
  /** Shows whether the gateway has too much to do; this process's own figures if absent. */
  readonly load?: LoadMeasures;
  /** Where containers say how keys are fetched; the process's own if absent. */
  readonly environment?: Outside['environment'];
  /** The file that the configuration was read from; null if there was none. */
  readonly configSource?: ConfigSource | null;
  /** The dashboard's files, if they are read already. */
  readonly files?: ServerParts['files'];
}

/** Throws if another process has the data folder, or the configuration cannot be served. */
export function openApp(config: Config, parts: AppParts = {}): Promise<App> {
  return openWhole((closing) => open(config, parts, closing));
}

function openProcessLoad(closing: AsyncDisposableStack): LoadMeasures {
  const load = new ProcessLoad();
  closing.defer(() => load.close());
  return load;
}

/** Everything opened is added to `closing` immediately, and closed in reverse order. */
async function open(config: Config, parts: AppParts, closing: AsyncDisposableStack): Promise<App> {
  const ownClock = parts.clock ?? systemClock;
  const synced = config.database.url === null ? null : new SyncedClock(ownClock, (byMs) => noteStep(byMs));
  const clock = synced ?? ownClock;
  const live: LiveConfig = { config, source: parts.configSource ?? null };
  const telemetry = parts.log ?? openLog(config.log);
  const { log } = telemetry;
  const noteStep = (byMs: number) => log.warn({ byMs }, 'database_time_stepped');
  closing.defer(telemetry.flush);

  const { upstream, proxyOf, outside, membersOutside, egress } = openUpstream(
    config,
    clock,
    parts.environment ?? process.env,
  );
  closing.defer(() => upstream.close());
  const measures = parts.load ?? openProcessLoad(closing);
  const running = new RunningCalls(config.limits.inFlightMax, { clock, measures, limits: config.limits });
  closing.defer(() => running.load.close());
  const connections = new ConnectionGuard({
    clock,
    descriptors: ownDescriptors(),
    upstream: () => [...upstream.connections().values()].reduce((sum, open) => sum + open, 0),
    load: running.load,
  });
  const memory = new MemoryBudget(config.limits.memoryBytes ?? defaultMemoryBytes());
  closing.defer(() => connections.close());
  const responseCache = new ResponseCache({ bytesMax: config.responseCache.bytesMax, clock });
  const metrics = new Metrics({ running, upstream, memory, connections, responseCache });
  closing.defer(() => metrics.close());
  const onProblem = problemReporter(log, metrics);

  const role = parts.role ?? 'node';
  // The database has everything that a command needs: it runs while this folder's node starts, too.
  const folder = role === 'command' && synced !== null ? null : openDataFolder(config.dataFolder);
  closing.defer(() => folder?.close());
  const storage = await openStorage(config, { clock, role, onProblem });
  closing.defer(() => storage.close());
  await synced?.askOnce(storage.visitor);
  const node = await openNode(config, { storage, synced, clock: ownClock, log, metrics }, closing);

  const accounts = await openAccounts(config, storage, clock);
  const { keys, scopes, mirror } = accounts;
  const liveNodes = () => node?.liveNodes ?? 1;
  const shared = await openShared(config, { storage, clock, liveNodes, log, metrics }, closing);
  const money = await openMoney(config, storage, clock, { node, limits: shared?.limits ?? null });
  const firstRun = await prepareFirstRun(
    { scopes, keys, store: storage.accounts, transactions: storage.transactions },
    {
      secret: config.bootstrapKey,
      welcome: (accountId) => welcome(money.bank, accountId, parseUsd(config.billing.firstRunCredit), clock.now()),
    },
  );

  const sealing = openSealing(storage);
  const {
    registry: providers,
    replaceConfigured,
    closeDemo,
  } = await openProviders(config, {
    prices: storage.prices,
    listedPrices: storage.listedPrices,
    store: storage.providers,
    transactions: storage.transactions,
    sealer: sealing.ring,
    clock,
    outside,
  });
  closing.defer(closeDemo);
  const aliases = await openAliases(config, storage, { providers, clock });
  const warnOfUnknown = (read: Config) =>
    runInTurns(warnOfUnknownModels(read, providers.current.catalog, log), ownClock);
  const closeUnused = () =>
    upstream.keepOnly(new Set([...providers.current.providers.values()].map(({ origin }) => origin)));
  providers.onChange(closeUnused);
  await warnOfUnknown(config);
  if (role === 'node') await prepareHints(providers.current.catalog);
  // Until it has run, the first unknown name does that work.
  providers.onChange(({ catalog }) => void prepareHints(catalog));
  const own = await openOwnCredentials(
    { storage, sealer: sealing.ring, outside: membersOutside, egress, clock, log },
    closing,
  );
  const health = openHealth(providers, { clock, metrics, log });
  const mailer = openMailer(config);
  const address = new ListeningAddress(config);
  const alerts = openCredentialAlerts(
    {
      mailer,
      storage,
      accounts: mirror.scopes,
      clock,
      log,
      dashboard: () => (config.dashboard.enabled ? address.publicUrl() : null),
    },
    closing,
  );
  const breakers = openBreakers({ clock, metrics, log }, alerts);
  showTargets(providers, { health, breakers, metrics });
  const sticky = new Sticky({ monotonic: () => clock.monotonic(), secret: shared?.conversationSecret });
  shared?.share({ breakers, sticky, providers });

  const stored = openStoredAnswers({ storage, clock, log }, closing);
  const replays = await openReplays(config, { storage, sealing, scopes: mirror.scopes, clock, log, metrics }, closing);
  const keyKeeper = await openRotation({
    storage,
    ring: sealing.ring,
    clock,
    log,
    onNewKey: (secret) => replays.useKey(secret),
  });
  const captures = new CaptureRecorder({
    store: storage.captures,
    sealer: sealing.ring,
    clock,
    retentionDaysOf: (id) => mirror.scopes.account(id).capture.retentionDays,
    onProblem,
  });
  closing.defer(() => captures.close());
  const files = openFiles({ storage, sealer: sealing.ring, clock, log }, closing);
  const {
    batches,
    onChange: onBatchChange,
    run: runBatches,
  } = openBatches({ storage, files, clock, log, live, metrics, running, answers: replays }, closing);
  const watch = new Watch(clock);
  closing.defer(() => watch.close());

  const records = new Recorder(storage.records);
  if (storage.shared !== null)
    followOthers({ recorder: records, others: storage.shared.records, clock: ownClock }, closing);
  const refusals = new Refusals();
  shared?.shareRefusals(refusals);
  const stats = new PendingFirstReader(records, storage.stats);
  const gateway = buildGateway(config, live, {
    ...money,
    clock,
    telemetry,
    metrics,
    accounts,
    keyNews: node?.keyNews ?? null,
    isStorageTrouble: (error) => storage.isTrouble(error),
    providers,
    own,
    aliases: aliases.mirror,
    health,
    breakers,
    sticky,
    alerts,
    upstream,
    running,
    memory,
    watch,
    records,
    refusals,
    replays,
    responseCache,
    stored,
    files,
    batches,
    captures,
    address,
  });

  const reasons = () => {
    const state = storage.health();
    return [
      ...(running.draining ? ['draining'] : []),
      ...(state === 'ready' ? [] : [state.problem]),
      ...(node?.reasons() ?? []),
    ];
  };
  // Providers that are not saved are tested too.
  const probe = openProbe({ clock, log, upstream, health, afterwards: closeUnused });
  const status = () => ({
    reasons: reasons(),
    unreadableRows: storage.unreadable.list(),
    node: storage.nodes?.identity.name ?? null,
    address: address.current,
    inFlight: running.count,
    memory,
    load: { ...running.load.view, inFlightMax: running.max },
    connections: { open: connections.open, max: connections.max, descriptorsMax: connections.limit },
    configSource: live.source,
  });
  const { management, setUpLink, ...members } = await openManagement({
    config,
    gateway,
    storage,
    keys,
    scopes,
    providers,
    own,
    aliases,
    records,
    refusals,
    stats,
    captures,
    sealer: sealing.ring,
    mailer,
    testConnection: probe,
    outside,
    keyKeeper,
    proxyOf,
    onBatchChange,
    status,
    load: () => gatewayLoad({ live, running, connections, memory, responseCache }),
  });
  closing.defer(() => members.close());
  const control = buildControl(management);
  closing.defer(() => control.close());

  const lineCalls = new LineCalls(lineHandler(gateway));

  const nodeFacts = node === null ? null : () => node.facts();
  const server = openServer(
    config,
    {
      gateway,
      management,
      stats,
      prices: storage.prices,
      address,
      reasons,
      nodeFacts,
      connections,
      files: parts.files,
    },
    closing,
  );

  await node?.start({ accounts, aliases, own, providers, keyKeeper });
  await shared?.start();

  const close = () => closing.disposeAsync();
  return {
    gateway,
    control,
    providers,
    captures,
    begin: async () => {
      // A key may have been created since, over the socket or in the dashboard.
      for (const _key of keys.list()) return null;
      return firstRun?.makeKey() ?? null;
    },
    setUpLink: async () => (config.dashboard.enabled ? setUpLink() : null),
    async listen() {
      const url = await server.listen();
      assert(folder !== null, 'a command does not listen');
      await listenControl(control, folder.controlSocketPath);
      warnOfExposure(log, config.dataFolder);
      runBatches((line, asked) => lineCalls.call(line, asked));
      return { url };
    },
    reload: reloader({
      live,
      running,
      replaceProviders: replaceConfigured,
      rates: money.rates,
      warnOfUnknown,
      noteSettings: async (next) => storage.nodes?.noteSettings(nodeSettings(next)),
      log,
      clock: ownClock,
    }),
    get timeouts() {
      return live.config.timeouts;
    },
    async drain(limits) {
      const sinceMs = ownClock.monotonic();
      node?.drain();
      await running.drain(clock, limits);
      await close();
      // Only if everything could be closed: without this line, the end was not in order.
      log.info({ ...node?.endFacts(), ms: Math.round(ownClock.monotonic() - sinceMs) }, 'ended');
      telemetry.flush();
    },
    close,
  };
}
