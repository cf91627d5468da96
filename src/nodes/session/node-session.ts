/**
 * What makes one of several nodes live: its pulse. Each pulse says that the node is there, and brings the database's time, changes that
 * other nodes made, and the purses that they need. The session knows whether the node still has its place; takes a new one when it was
 * lost; declares other nodes lost; and gives the place up at the end.
 */
import type { Clock } from '../../core/clock.ts';
import { Outage } from '../../core/trouble/outage.ts';
import type { NodePlace, NodeStorage, Pulse } from '../ports.ts';
import { Fence, type Moment } from './fence.ts';
import { PERIOD_MS, PulseLoop } from './pulse-loop.ts';
import { Reaper } from './reaper.ts';
import type { SyncedClock } from './synced-clock.ts';

/** How long the end waits for settlements to reach the database; the rest stays in the journal for the next start. */
const FORWARD_MS = 10_000;
/** Between two attempts to take a place. */
const REGISTER_EVERY_MS = 1_000;
/** A node follows the changes of others as long as at most two of its pulses in a row were missed. */
export const FOLLOWED_MS = 3 * PERIOD_MS;

/** What the session reports; what fails is reported when the first of a row fails, and when it works again. */
export type NodeEvent =
  | {
      readonly type: 'pulse_failed' | 'node_not_registered' | 'reap_failed' | 'node_did_not_leave';
      readonly cause: Error;
    }
  | { readonly type: 'pulse_answered' | 'reaps_again'; readonly afterMs: number }
  | { readonly type: 'node_lost_its_place' | 'node_registered'; readonly place: NodePlace }
  | { readonly type: 'nodes_lost'; readonly slots: readonly number[] }
  | { readonly type: 'settlements_not_forwarded'; readonly calls: number };

/** Applies the changes of a pulse to what is kept in memory. */
export interface PulseFollower {
  /** The number of the last change that was applied. */
  readonly seq: number;
  /** Reads everything anew with the next pulse: the database went on from another state, so numbers that were known mean nothing. */
  distrust(): void;
  /** Resolves to whether everything up to the pulse is applied; never rejects. */
  follow(pulse: Pick<Pulse, 'changes' | 'lastSeq'>): Promise<boolean>;
}

export interface NodeSessionParts {
  readonly storage: Pick<NodeStorage, 'bank' | 'place' | 'registerAgain' | 'unsent' | 'forwardAll'>;
  /** The process's own clock: the database's time must not decide whether contact with it is lost. */
  readonly clock: Clock;
  readonly synced: Pick<SyncedClock, 'sync'>;
  readonly follower: PulseFollower;
  readonly onEvent: (event: NodeEvent) => void;
}

/** How a node ended. */
export interface NodeEnd {
  /** The settlements that waited in the journal then, and are in the database. */
  readonly forwarded: number;
  /** Those that are still in it. */
  readonly unsent: number;
  /** Whether the place was given up, with everything that was lent; otherwise the node has it until it starts again, or is declared lost. */
  readonly hasLeft: boolean;
}

export class NodeSession {
  readonly #parts: NodeSessionParts;
  readonly #fence: Fence;
  readonly #reaper: Reaper;
  readonly #loop: PulseLoop;
  readonly #pulseListeners: ((pulse: Pulse) => void)[] = [];
  readonly #lossListeners: (() => void)[] = [];
  readonly #placeListeners: ((place: NodePlace) => void)[] = [];
  readonly #tickListeners: (() => void)[] = [];
  #place: NodePlace | null;
  /** Of the place that the node had last. */
  #history: string | undefined;
  /** The database has an earlier state than it had, perhaps with fewer changes; a new place has to be taken. */
  #hasGoneBack = false;
  #liveNodes = 1;
  #isDraining = false;
  /** Of pulses. */
  readonly #outage: Outage;
  #hasFailedToRegister = false;
  #registeredAt = Number.NEGATIVE_INFINITY;
  /** When the last pulse was sent whose changes are all applied. */
  #followedAt: Moment;
  #followed: Promise<boolean> = Promise.resolve(true);
  #stopListening: (() => Promise<void>) | null = null;

  constructor(parts: NodeSessionParts) {
    const { storage, clock, onEvent } = parts;
    this.#parts = parts;
    this.#place = storage.place;
    this.#history = storage.place.history;
    this.#fence = new Fence(clock);
    this.#outage = new Outage(clock);
    this.#followedAt = this.#fence.moment();
    this.#reaper = new Reaper({
      bank: storage.bank,
      clock,
      onLost: (slots) => onEvent({ type: 'nodes_lost', slots }),
      onProblem: (cause) => onEvent({ type: 'reap_failed', cause }),
      onAnswered: (afterMs) => onEvent({ type: 'reaps_again', afterMs }),
    });
    this.#loop = new PulseLoop({
      clock,
      send: () => this.#pulse(),
      onTick: () => {
        for (const listener of this.#tickListeners) listener();
      },
    });
  }

  /** Resolves after the first pulse was answered and its changes are applied; rejects if that fails. */
  async start(): Promise<void> {
    if (!(await this.#loop.next()) || !(await this.#followed))
      throw new Error('The database did not answer the first pulse of this node; the log has the cause.');
    // Without it, the next pulse brings the news a little later.
    this.#stopListening = await this.#parts.storage.bank.listen(() => this.#loop.wake()).catch(() => null);
    this.#loop.start();
  }

  /** Null while the node has none: what it was lent is another's. */
  get place(): NodePlace | null {
    return this.#place;
  }

  /** Whether what was lent to the node may be spent: it has a place, and the bank has confirmed that recently enough. */
  get maySpend(): boolean {
    return this.#place !== null && this.#fence.isOpen;
  }

  /** Whether the last pulse failed. */
  get isCutOff(): boolean {
    return this.#outage.isOn;
  }

  /** The number of nodes that are live, at the last pulse. */
  get liveNodes(): number {
    return this.#liveNodes;
  }

  /** The age of the newest state of the database that memory is known to agree with, ms; by the wall clock if the machine was suspended. */
  get feedLagMs(): number {
    const { monotonic, wall } = this.#fence.moment();
    return Math.max(monotonic - this.#followedAt.monotonic, wall - this.#followedAt.wall);
  }

  /** Called with every answered pulse in which the node has its place, in the same step; must not throw. */
  onPulse(listener: (pulse: Pulse) => void): void {
    this.#pulseListeners.push(listener);
  }

  /** Called when the place is lost: nothing is lent to the node any more. Must not throw. */
  onPlaceLost(listener: () => void): void {
    this.#lossListeners.push(listener);
  }

  /** Called when the node has a new place; must not throw. */
  onPlace(listener: (place: NodePlace) => void): void {
    this.#placeListeners.push(listener);
  }

  /** Called every 250 ms, whether the database answers or not; must not throw. */
  onTick(listener: () => void): void {
    this.#tickListeners.push(listener);
  }

  /** Sends a pulse now: an answer of the bank said that the place is lost. */
  wake(): void {
    this.#loop.wake();
  }

  /** The bank said elsewhere that the place is over, or does not know what was lent: the node takes a new one. */
  placeIsOver(): void {
    if (this.#place !== null) this.#lose(this.#place);
    this.#loop.wake();
  }

  /** Sends a pulse now. Resolves to whether memory agrees with the database as it was after this call. */
  async catchUp(): Promise<boolean> {
    return (await this.#loop.next()) && this.#followed;
  }

  /** Reports from now on that the node takes no new calls. */
  drain(): void {
    this.#isDraining = true;
    this.#loop.wake();
  }

  /** Call it when no call runs any more. Forwards the journal, returns what is lent, gives the place up. Never rejects. */
  async end(): Promise<NodeEnd> {
    const { storage, onEvent } = this.#parts;
    this.#isDraining = true;
    const { calls: waiting } = storage.unsent;
    const isForwarded = await storage.forwardAll(FORWARD_MS).catch(() => false);
    if (!isForwarded) onEvent({ type: 'settlements_not_forwarded', calls: storage.unsent.calls });
    await this.#loop.stop();
    await this.#followed;
    await this.#reaper.settled();
    await this.#stopListening?.().catch(() => undefined);
    const place = this.#place;
    this.#fence.shut();
    this.#place = null;
    const { calls: unsent } = storage.unsent;
    // With settlements left in the journal its leases stay: the next start settles them from these.
    const hasLeft = place !== null && isForwarded && (await this.#leave(place));
    return { forwarded: Math.max(0, waiting - unsent), unsent, hasLeft };
  }

  #leave(place: NodePlace): Promise<boolean> {
    return this.#parts.storage.bank.leave(place).then(
      () => true,
      (cause: Error) => {
        this.#parts.onEvent({ type: 'node_did_not_leave', cause });
        return false;
      },
    );
  }

  /** One pulse, or one attempt to get a place. Resolves to whether the bank answered and the node has a place; never rejects. */
  async #pulse(): Promise<boolean> {
    const place = this.#place;
    if (place === null) return this.#registerAgain();
    const { storage, synced, follower } = this.#parts;
    const sentAt = this.#fence.moment();
    let pulse: Pulse;
    try {
      pulse = await storage.bank.pulse(place, {
        feedSeq: follower.seq,
        unsentFrom: storage.unsent.from,
        isDraining: this.#isDraining,
      });
    } catch (error) {
      this.#failed(error as Error);
      return false;
    }
    synced.sync({ now: pulse.now, askedAt: sentAt.monotonic, answeredAt: this.#parts.clock.monotonic() });
    this.#answered();
    this.#hasGoneBack ||= pulse.hasGoneBack === true || pulse.lastSeq < follower.seq;
    if (!pulse.isMine || this.#hasGoneBack) {
      this.#lose(place);
      return this.#registerAgain();
    }
    this.#fence.renew(sentAt);
    this.#reaper.answered(place);
    this.#liveNodes = pulse.liveNodes;
    for (const listener of this.#pulseListeners) listener(pulse);
    this.#follow(pulse, sentAt);
    return true;
  }

  /** Not awaited by the pulse: reading rows may take longer than until the next one. */
  #follow(pulse: Pulse, sentAt: Moment): void {
    this.#followed = this.#parts.follower.follow(pulse).then((isFollowed) => {
      if (isFollowed && sentAt.monotonic >= this.#followedAt.monotonic) this.#followedAt = sentAt;
      return isFollowed;
    });
    // There are more changes than one pulse brings.
    const last = pulse.changes?.at(-1);
    if (last !== undefined && last.seq < pulse.lastSeq)
      void this.#followed.then((isFollowed) => isFollowed && this.#loop.wake());
  }

  #lose(place: NodePlace): void {
    this.#place = null;
    this.#fence.shut();
    this.#reaper.failed();
    for (const listener of this.#lossListeners) listener();
    this.#parts.onEvent({ type: 'node_lost_its_place', place });
  }

  async #registerAgain(): Promise<boolean> {
    const { storage, clock, follower, onEvent } = this.#parts;
    if (clock.monotonic() - this.#registeredAt < REGISTER_EVERY_MS) return false;
    this.#registeredAt = clock.monotonic();
    const sentAt = this.#fence.moment();
    try {
      this.#place = await storage.registerAgain(this.#hasGoneBack);
    } catch (error) {
      if (!this.#hasFailedToRegister) onEvent({ type: 'node_not_registered', cause: error as Error });
      this.#hasFailedToRegister = true;
      return false;
    }
    this.#hasFailedToRegister = false;
    if (this.#hasGoneBack || this.#place.history !== this.#history) follower.distrust();
    this.#hasGoneBack = false;
    this.#history = this.#place.history;
    this.#fence.renew(sentAt);
    for (const listener of this.#placeListeners) listener(this.#place);
    onEvent({ type: 'node_registered', place: this.#place });
    // What this pulse was to bring.
    this.#loop.wake();
    return false;
  }

  #failed(cause: Error): void {
    this.#reaper.failed();
    if (this.#outage.failed()) this.#parts.onEvent({ type: 'pulse_failed', cause });
  }

  #answered(): void {
    const afterMs = this.#outage.worked();
    if (afterMs !== null) this.#parts.onEvent({ type: 'pulse_answered', afterMs });
  }
}
