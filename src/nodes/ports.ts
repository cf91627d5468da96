/**
 * What a node asks of the bank: the database that has every balance. The bank lends each node a share of the money that the
 * node's calls need, takes the settlements of those calls, and never lends the same money twice. Whatever is lent is no longer
 * free, so the sum of all shares stays within each balance, whichever node dies.
 */
import type { BillingMode } from '../billing/billing-mode.ts';
import type { MoneyView } from '../billing/money-view.ts';
import type { Budgets, BudgetWindow } from '../core/budget.ts';
import type { FeedChange } from '../core/feed.ts';
import type { AccountId, CallId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';

export type { BillingMode } from '../billing/billing-mode.ts';
export type { MoneyView, ScopeMoney, ScopeRef } from '../billing/money-view.ts';

/** What is lent: a balance, or what the budgets of a key (the root of its chain of rotations), a project or an account leave. */
export type PurseKind = 'balance' | 'key' | 'project' | 'account';

export interface PurseRef {
  readonly kind: PurseKind;
  readonly id: number;
}

export interface NodeIdentity {
  /** Of the node's journal: a UUID. */
  readonly id: string;
  /** Differs between a journal and its copy: where the journal is, and which file it is there. */
  readonly fingerprint: string;
  /** What operators call it. */
  readonly name: string;
  readonly version: string;
  readonly settings: NodeSettings;
}

/** How a node is configured, as far as nodes should agree on it: values by the names of options, without secrets. */
export type NodeSettings = Readonly<Record<string, string>> & { readonly 'billing.mode': BillingMode };

/**
 * A node's place at the bank. The slot is a small number. The epoch grows whenever the slot is registered or declared lost: what
 * was lent under an epoch that is over is no longer the node's (a fencing token).
 */
export interface NodePlace {
  readonly slot: number;
  /** At least 1. */
  readonly epoch: number;
  /**
   * Of the database in which the place is: a server that goes on from another one may not know the place or what was lent, so it is
   * asked for nothing under this one. Absent if there is only one.
   */
  readonly history?: string;
}

export type Registration =
  | {
      readonly refused: null;
      readonly place: NodePlace;
      /**
       * The epoch of this node's last run, unless that was over: until `closeLeases`, settlements of it are taken as of the new one, and the
       * idempotency keys of its calls are not free. Null if there is none.
       */
      readonly carriedEpoch: number | null;
    }
  /** Another process, with a copy of the journal, has this id and was seen a moment ago. */
  | { readonly refused: 'id_in_use'; readonly name: string }
  /** A node that runs, and was seen in the last two minutes, has another `billing.mode`. */
  | { readonly refused: 'other_mode'; readonly name: string; readonly mode: string };

/**
 * A share that is asked for. Requests about a purse, wants and returns alike, are numbered: one that is not newer than the
 * last that the bank saw from this slot changes nothing, and is answered with what is lent now. So a request whose answer was
 * lost can be sent again, and one that arrives late does no harm.
 */
export interface Want {
  readonly purse: PurseRef;
  /** At least 1; grows with each request of this node about the purse. */
  readonly seq: number;
  /** The least that makes sense; 0 if any share is welcome. */
  readonly shortfall: Money;
  /** The most that is of use; at least the shortfall. */
  readonly wish: Money;
  /** The limits as they are now; null for a balance. */
  readonly budgets: Budgets | null;
}

/** In the order of the wants. */
export interface Share {
  /**
   * What is lent to the node of this purse now, what it spent of it included: the sum of its grants less what it gave back. As it
   * is absolute, it makes up for answers that were lost.
   */
  readonly granted: Money;
  /** What is free after it; may be negative if a budget was lowered. */
  readonly free: Money;
  /** Lent to other nodes, and not settled yet. */
  readonly elsewhere: Money;
  /** The budget that leaves the least; null for a balance, and if there are no budgets. */
  readonly window: BudgetWindow | null;
}

export type LeaseAnswer =
  | {
      readonly isOver: false;
      readonly shares: readonly Share[];
      /** The UTC day (days since 1970) in whose windows calls have to count that use these shares, unless a later one is known. */
      readonly day: number;
    }
  /** The epoch is over: nothing was lent, and whatever was lent before is lost to the node. */
  | { readonly isOver: true };

/** Money that is given back. */
export interface Returned {
  readonly purse: PurseRef;
  /** See `Want`. */
  readonly seq: number;
  /** What the node keeps of all that it was lent, what it spent included: `granted` becomes this, if it is more. */
  readonly keeps: Money;
  /** The node forgets the purse: its lease is removed if everything that is still lent is also settled. */
  readonly isLast: boolean;
}

/** Settlements on their way to the bank, as the node's journal has them: see `storage/journal/batch-format.ts`. */
export interface SentBatch {
  /** Under which the calls' money was lent; 0 if none was. */
  readonly epoch: number;
  readonly encoded: readonly Uint8Array[];
}

export interface SettleAnswer {
  /** Calls that were settled differently before: that settlement counts, and this one was left out. Usually none. */
  readonly conflicts: readonly CallId[];
  /**
   * Set if nothing was lent to these calls any more: they are charged what is free, and the operator bears `loss`. Null as a rule.
   * `isFault` if their epoch is not over, and too little was lent to them: a fault of this program.
   */
  readonly late: { readonly calls: number; readonly loss: Money; readonly isFault?: true } | null;
}

export interface PulseRequest {
  /** The number of the last change that the node has followed. */
  readonly feedSeq: number;
  /** The time of admission (ms) of its oldest call that is not settled at the bank; null for none. */
  readonly unsentFrom: number | null;
  /** Calls that it will still end are the only ones it has: it takes no new ones. */
  readonly isDraining: boolean;
}

export interface Pulse {
  /** Whether the epoch is still the node's, in a database of the same history. */
  readonly isMine: boolean;
  /** The database has an earlier state of its history than an earlier pulse saw. */
  readonly hasGoneBack?: true;
  /** Wall time of the database, ms. */
  readonly now: number;
  /** The number of nodes that are live, at least 1. */
  readonly liveNodes: number;
  /** The number of the last change. */
  readonly lastSeq: number;
  /** Changes after the node's number, in order, at most 1,000; null if they are no longer stored. */
  readonly changes: readonly FeedChange[] | null;
  /** Purses that another node needs: what no running call holds is to be given back. */
  readonly recalls: readonly PurseRef[];
}

export type NodeState = 'live' | 'draining' | 'lost' | 'gone';

/** A node as the bank knows it. */
export interface KnownNode {
  readonly slot: number;
  readonly epoch: number;
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly state: NodeState;
  /** Wall time of the database, ms. */
  readonly seenAt: number;
  /** How long ago that is, by the database's clock. */
  readonly seenAgoMs: number;
  readonly feedSeq: number;
  /** See `PulseRequest`. Of a lost node: when it may have begun to have something to send; null once that was given up. */
  readonly unsentFrom: number | null;
  /** Lent to it from balances, and not settled yet. */
  readonly lent: Money;
}

export interface NodeBank {
  register(node: NodeIdentity): Promise<Registration>;
  /** The node is configured like this from now on. Ignored if the epoch is over. */
  noteSettings(place: NodePlace, settings: NodeSettings): Promise<void>;
  /** One statement on a connection of its own. Marks the node as seen, at most every 5 s. */
  pulse(place: NodePlace, request: PulseRequest): Promise<Pulse>;
  /** Calls back as soon as there may be something for the next pulse; never relied on. Returns a function that stops it. */
  listen(wake: () => void): Promise<() => Promise<void>>;
  /**
   * All of the shares if `isTogether` and every shortfall is free, otherwise none of them; if not together, each on its own. A
   * share leaves something for others while there is plenty: at most 1/2N of what is free with N live nodes. A purse whose
   * shortfall is not free while other nodes have some of it is recalled. What is spent in a budget's window counts from its first
   * day on without an end: a node whose clock is ahead may count calls in the next one already.
   */
  lease(place: NodePlace, wants: readonly Want[], isTogether: boolean): Promise<LeaseAnswer>;
  /** Ignored if the epoch is over. Resolves to whether each one's lease was removed (or there was none), in the order given. */
  giveBack(place: NodePlace, returned: readonly Returned[]): Promise<readonly boolean[]>;
  /** Each call counts once, however often it is sent. Rejects, with nothing written, if the database has another history than the place. */
  settle(place: NodePlace, batch: SentBatch): Promise<SettleAnswer>;
  /**
   * Returns everything that is lent to the slot and not spent. `runsSince`: the first epoch of this process, whose calls go on, so that their
   * idempotency keys stay theirs; without it, those of earlier calls are free. Rejects, with nothing closed, if the database has another
   * history than the place: it may not have what was settled from these leases.
   */
  closeLeases(place: NodePlace, runsSince?: number): Promise<void>;
  /** The node ends in order: its leases are closed, its state is `gone`. Rejects as `closeLeases` does. */
  leave(place: NodePlace): Promise<void>;
  /** Declares lost whoever was not seen for `lostAfterMs` of the database's time; its leases return. Resolves to their slots. */
  reap(place: NodePlace, lostAfterMs: number): Promise<readonly number[]>;
  nodes(): Promise<readonly KnownNode[]>;
  /** What pages show, without what this node has not sent yet. */
  readonly money: MoneyView;
}

/** What a process asks of the bank that is not a node, because it takes no calls: a command without a server. */
export interface VisitorBank extends Pick<NodeBank, 'nodes' | 'money'> {
  /** Wall time of the database, ms. */
  now(): Promise<number>;
  /** Asks every node to give back what none of its running calls holds of a balance; resolves to what is free, and lent, of it now. */
  recall(accountId: AccountId): Promise<{ readonly free: Money; readonly lent: Money }>;
}

/** What a storage has, in addition, that several nodes share. */
export interface NodeStorage {
  readonly bank: NodeBank;
  readonly identity: NodeIdentity;
  /** The node is configured like this from now on, whatever place it has. */
  noteSettings(settings: NodeSettings): Promise<void>;
  /** The place that the node has now. */
  readonly place: NodePlace;
  /**
   * Takes a new place, because the epoch of the old one is over. Nothing is lent to the node any more when it resolves: leases that are
   * still open are closed, so that what is lent anew is all there is. Before, what the journal has is settled from them; if the
   * database has another history, or `hasGoneBack` to an earlier state, that includes what was acknowledged in the last minute.
   */
  registerAgain(hasGoneBack?: boolean): Promise<NodePlace>;
  /** What pages show, with the calls that ended at this node before a page is asked for, if the bank takes them in time. */
  readonly money: MoneyView;
  /**
   * Calls back when the bank goes on from another history, such as that of a standby that was behind: it may not know what it lent
   * last, so the node has to take a new place. The listener must not throw.
   */
  onHistoryChange(listener: () => void): void;
  /**
   * Calls back when `registerAgain` has a new place, before anything ends that was the node's under the old one, such as the claims of
   * its running calls. It waits for the listener, and rejects if that does.
   */
  onPlaceTaken(listener: () => Promise<void>): void;
  /** What is in the journal and not settled at the bank. */
  readonly unsent: { readonly calls: number; readonly from: number | null };
  /** Resolves to whether everything in the journal was settled at the bank within the time given. */
  forwardAll(withinMs: number): Promise<boolean>;
  readonly setAside: SetAside;
}

/** What the bank refused for what is in it: the journal keeps it, and it is not charged. The next process sends it once more, too. */
export interface SetAside {
  /** The first ones, `max` at most. */
  list(max: number): SetAsideList;
  /** Sends all of it again: whatever made the bank refuse it may be over. Waits for the bank for the time given. */
  sendAgain(withinMs: number): Promise<SentAgain>;
}

export interface SetAsideList {
  readonly calls: readonly SetAsideCall[];
  /** Of all calls. */
  readonly count: number;
}

export interface SetAsideCall {
  /** Null, as the account and the charge, if the journal is damaged there. */
  readonly callId: CallId | null;
  readonly accountId: AccountId | null;
  /** Of damaged calls, of the first that was written with it. */
  readonly admittedAt: number;
  readonly charge: Money | null;
  /** What the bank said; null if only an earlier process of the node knows it. */
  readonly reason: string | null;
}

export interface SentAgain {
  /** Calls. */
  readonly sent: number;
  /** Those of them that the bank refused again. */
  readonly refused: number;
  /** Whether the bank has answered for all of them; otherwise they are sent with everything else once it can be reached. */
  readonly isAnswered: boolean;
}
