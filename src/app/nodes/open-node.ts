/** Opens what makes this process one of several nodes on a database: the shares of money that it was lent, its pulse, and its feed. */
import type { KeyNews } from '../../accounts/key-news.ts';
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../core/clock.ts';
import { type AccountId, accountId } from '../../core/ids.ts';
import { formatUsd, type Money } from '../../core/money.ts';
import { FeedFollower, type FollowEvent } from '../../nodes/feed/feed-follower.ts';
import { Leases } from '../../nodes/leases.ts';
import type { NodeStorage, Pulse, PurseKind } from '../../nodes/ports.ts';
import { NewKeys } from '../../nodes/session/new-keys.ts';
import { FOLLOWED_MS, type NodeEnd, type NodeEvent, NodeSession } from '../../nodes/session/node-session.ts';
import type { SyncedClock } from '../../nodes/session/synced-clock.ts';
import { NAME_ADVICE, sharedNames } from '../../nodes/shared-names.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { NodeFigures } from '../../telemetry/node-gauges.ts';
import { ALL_CLEARS, isAllClear } from './all-clears.ts';
import { nodeAdvice } from './node-advice.ts';
import { type InMemory, nodeTopics } from './node-topics.ts';

export interface OpenNodeParts {
  readonly storage: Storage;
  /** Null if the storage is that of one process. */
  readonly synced: SyncedClock | null;
  /** The process's own. */
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'alert' | 'showNode'>;
}

export interface OpenNode {
  readonly leases: Leases;
  readonly keyNews: KeyNews;
  /** The number of nodes that are live; 1 before the first pulse. */
  readonly liveNodes: number;
  /** Whether calls may be admitted that limited money pays for. */
  readonly maySpend: boolean;
  /** Called with every answered pulse. Must not throw. */
  onPulse(listener: (pulse: Pulse) => void): void;
  /** Resolves once the node has everything that is needed to serve. `inMemory` was loaded after `openNode` resolved. */
  start(inMemory: InMemory): Promise<void>;
  /** Why it should get no calls now; empty if it should. */
  reasons(): readonly string[];
  /** What `/health` shows. */
  facts(): object;
  drain(): void;
  /** What the log shows of its end, once it has ended. */
  endFacts(): object;
}

/** Null for a storage of one process. Ends the node with `closing`, when no call runs any more. */
export async function openNode(
  config: Pick<Config, 'billing' | 'nodes'>,
  parts: OpenNodeParts,
  closing: AsyncDisposableStack,
): Promise<OpenNode | null> {
  const { storage, synced } = parts;
  if (storage.nodes === null || synced === null) return null;
  // Before anything is loaded: what changes meanwhile is read again.
  const seq = await storage.feed.last();
  const node = new ServingNode(config, { ...parts, nodes: storage.nodes, synced }, seq);
  closing.defer(() => node.end());
  return node;
}

type ServingNodeParts = OpenNodeParts & { readonly nodes: NodeStorage; readonly synced: SyncedClock };

class ServingNode implements OpenNode {
  readonly leases: Leases;
  readonly #parts: ServingNodeParts;
  readonly #config: Pick<Config, 'billing' | 'nodes'>;
  readonly #seq: number;
  readonly #listeners: ((pulse: Pulse) => void)[] = [];
  #session: NodeSession | null = null;
  #follower: FeedFollower | null = null;
  #keyNews: NewKeys | null = null;
  #ended: (NodeEnd & { readonly returned: Money }) | null = null;

  constructor(config: Pick<Config, 'billing' | 'nodes'>, parts: ServingNodeParts, seq: number) {
    const { nodes, synced } = parts;
    this.#parts = parts;
    this.#config = config;
    this.#seq = seq;
    this.leases = new Leases({
      bank: nodes.bank,
      money: nodes.money,
      mode: config.billing.mode,
      clock: synced,
      maySpend: () => this.maySpend,
      onProblem: (cause) =>
        this.#report('bank_did_not_lend', { cause: cause instanceof Error ? cause : new Error('no answer') }),
      onAnswered: (afterMs) => this.#parts.log.info({ afterMs }, ALL_CLEARS.bank_did_not_lend),
      onOver: () => this.#session?.placeIsOver(),
    });
  }

  readonly keyNews: KeyNews = { await: async () => this.#keyNews?.await() };

  get liveNodes(): number {
    return this.#session?.liveNodes ?? 1;
  }

  get maySpend(): boolean {
    return this.#session?.maySpend ?? false;
  }

  onPulse(listener: (pulse: Pulse) => void): void {
    this.#listeners.push(listener);
  }

  async start(inMemory: InMemory): Promise<void> {
    const { storage, nodes, synced, clock, log, metrics } = this.#parts;
    const topics = nodeTopics({
      ...inMemory,
      storage,
      clock: synced,
      onProblem: (cause) => this.#report('changes_not_applied', { cause }),
      onRead: (what, afterMs) => log.info({ what, afterMs }, ALL_CLEARS.changes_not_applied),
    });
    const follower = new FeedFollower({
      feed: storage.feed,
      topics,
      seq: this.#seq,
      isTrouble: (error) => storage.isTrouble(error),
      clock,
      onEvent: (event) => this.#noteFollowed(event),
    });
    const session = new NodeSession({
      storage: nodes,
      clock,
      synced,
      follower,
      onEvent: (event) => this.#noteEvent(event),
    });
    this.#session = session;
    this.#follower = follower;
    session.onPulse((pulse) => this.#pulsed(pulse));
    session.onPlaceLost(() => this.leases.drop());
    nodes.onHistoryChange(() => session.placeIsOver());
    session.onPlace((place) => this.leases.begin(place));
    session.onTick(() => this.#tick(inMemory));
    this.#followBudgets();
    await session.start();
    this.#keyNews = new NewKeys({ session, clock });
    if (session.place !== null) this.leases.begin(session.place);
    metrics.showNode(() => this.#figures());
    log.info({ ...session.place, node: nodes.identity.name, nodes: session.liveNodes }, 'node_registered');
    await this.#warnOfSharedName();
  }

  /** The default is the name of the machine, which several nodes may have. */
  async #warnOfSharedName(): Promise<void> {
    const { nodes, log } = this.#parts;
    const { name: node } = nodes.identity;
    const known = await nodes.bank.nodes();
    if (!sharedNames(known).has(node)) return;
    const slots = known.filter(({ name }) => name === node).map(({ slot }) => slot);
    log.warn({ node, slots, advice: NAME_ADVICE }, 'node_name_shared');
  }

  reasons(): readonly string[] {
    const session = this.#session;
    if (session === null) return ['starting'];
    return [
      ...(this.#follower?.wentBack === true ? ['database_went_back'] : []),
      ...(session.place === null ? ['node_not_registered'] : []),
      ...(session.place !== null && this.#isPrepaid && !session.maySpend ? ['database_unreachable'] : []),
      ...(this.#isStale ? ['keys_stale'] : []),
    ];
  }

  facts(): object {
    const { feedLagMs, unsentCalls, unsentMs, lentNano, liveNodes, maySpend } = this.#figures();
    return {
      node: {
        name: this.#parts.nodes.identity.name,
        slot: this.#session?.place?.slot ?? null,
        live_nodes: liveNodes,
        may_spend: maySpend,
        feed_lag_ms: Math.round(feedLagMs),
        unsent_settlements: unsentCalls,
        unsent_age_ms: Math.round(unsentMs),
        lent_nano_usd: String(lentNano),
      },
    };
  }

  drain(): void {
    this.#session?.drain();
  }

  async end(): Promise<void> {
    const { nodes } = this.#parts;
    const { lent } = this.leases;
    await this.leases.returnAll();
    const { lent: kept } = this.leases;
    this.leases.stop();
    if (this.#session !== null) {
      const end = await this.#session.end();
      this.#ended = { ...end, returned: (end.hasLeft ? lent : lent - kept) as Money };
      return;
    }
    await nodes.bank.leave(nodes.place).catch((cause: Error) => this.#report('node_did_not_leave', { cause }));
  }

  endFacts(): object {
    if (this.#ended === null) return {};
    const { forwarded, unsent, hasLeft, returned } = this.#ended;
    return {
      node: this.#parts.nodes.identity.name,
      forwarded,
      unsent,
      returnedUsd: formatUsd(returned),
      placeGivenUp: hasLeft,
    };
  }

  get #isPrepaid(): boolean {
    return this.#config.billing.mode === 'prepaid';
  }

  /** With limited money, a node without contact stops earlier. One that has contact, and cannot follow what changed, does not. */
  get #isStale(): boolean {
    return (this.#session?.feedLagMs ?? 0) >= this.#config.nodes.staleMaxMs;
  }

  #tick({ accounts }: InMemory): void {
    const session = this.#session;
    if (session === null) return;
    const isFollowed = session.feedLagMs < FOLLOWED_MS && this.#follower?.wentBack !== true;
    accounts.mirror.setState(this.#isStale ? 'stale' : isFollowed ? 'ready' : 'unavailable');
  }

  #pulsed(pulse: Pulse): void {
    if (pulse.recalls.length > 0) this.leases.recalled(pulse.recalls);
    for (const { topic, id } of pulse.changes ?? [])
      if (topic === 'money') this.leases.changed(accountId(Number(id)) satisfies AccountId);
    for (const listener of this.#listeners) listener(pulse);
  }

  /** What is left of a budget that was lowered is decided by the bank: each node gives back what no call holds. */
  #followBudgets(): void {
    const { feed } = this.#parts.storage;
    const giveBack = (kind: PurseKind, id: number) => this.leases.giveBack([{ kind, id }]);
    feed.subscribe('key', ({ rootId }) => giveBack('key', rootId));
    feed.subscribe('project', ({ id }) => giveBack('project', id));
    feed.subscribe('account', ({ id }) => giveBack('account', id));
  }

  #figures(): NodeFigures {
    const { nodes, synced } = this.#parts;
    const { calls, from } = nodes.unsent;
    return {
      feedLagMs: this.#session?.feedLagMs ?? 0,
      unsentCalls: calls,
      unsentMs: from === null ? 0 : Math.max(0, synced.now() - from),
      lentNano: this.leases.lent,
      liveNodes: this.liveNodes,
      maySpend: this.maySpend,
    };
  }

  #noteFollowed({ type, ...event }: FollowEvent): void {
    if (isAllClear(type)) this.#parts.log.info(event, type);
    else this.#report(type, event);
  }

  #noteEvent(event: NodeEvent): void {
    const { type, ...rest } = event;
    if (isAllClear(type)) this.#parts.log.info(rest, type);
    else this.#report(type, rest);
  }

  #report(type: string, event: object): void {
    this.#parts.metrics.alert(type);
    const { cause, ...rest } = event as { readonly cause?: Error };
    const words = cause === undefined ? {} : { cause: cause.message };
    this.#parts.log.error({ ...rest, ...words, ...nodeAdvice(type) }, type);
  }
}
