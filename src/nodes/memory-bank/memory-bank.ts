/**
 * The bank in memory: the simplest implementation of `NodeBank`, exact, for tests and the simulator. Every question is answered in
 * one step; what is lost or late on the way is the test's to decide.
 */
import type { BillingMode } from '../../billing/billing-mode.ts';
import { isOfCharges, type NewEntry, type PostAnswer } from '../../billing/entry.ts';
import type { MoneyView, ScopeMoney, ScopeRef } from '../../billing/money-view.ts';
import type { PostingRules } from '../../billing/ports.ts';
import { BUDGET_WINDOWS } from '../../core/budget.ts';
import { dayOf } from '../../core/calendar.ts';
import type { Clock } from '../../core/clock.ts';
import { type AccountId, type CallId, entryId } from '../../core/ids.ts';
import { type Money, nanoUsd } from '../../core/money.ts';
import type {
  KnownNode,
  LeaseAnswer,
  NodeBank,
  NodeIdentity,
  NodePlace,
  Pulse,
  PulseRequest,
  PurseRef,
  Registration,
  Returned,
  SentBatch,
  SettleAnswer,
  Share,
  Want,
} from '../ports.ts';
import { BankState, type NodeRow, purseKey } from './bank-state.ts';
import { type SentSettlement, settleCalls } from './settle-calls.ts';

export interface MemoryBankParts {
  /** The database's. */
  readonly clock: Pick<Clock, 'now'>;
  readonly mode: BillingMode;
  /** Reads the settlements of an encoded batch. */
  readonly decode: (encoded: Uint8Array) => readonly SentSettlement[];
}

/** A journal's copy is refused while the first one was seen a moment ago. */
const CLONE_MS = 15_000;
const LOST_MS = 120_000;
const SEEN_EVERY_MS = 5_000;
const RECALLED_MS = 1_000;
const CHANGES_AT_ONCE = 1_000;
const SLOT_KEPT_MS = 86_400_000;
/** Of whoever is no node. */
const NO_SLOT = 0;

export class MemoryBank implements NodeBank {
  state = new BankState();
  /** Calls that were lent nothing, or too little, though their epoch was not over: a fault of the nodes. */
  faults = 0;
  readonly #parts: MemoryBankParts;
  readonly #wakes = new Set<() => void>();
  /** Who needs a purse, and since when. */
  readonly #recalls = new Map<string, { readonly ref: PurseRef; readonly at: number; readonly slot: number }>();

  constructor(parts: MemoryBankParts) {
    this.#parts = parts;
  }

  readonly money: MoneyView = { of: async (scopes) => scopes.map((scope) => this.moneyOf(scope)) };

  async register({ id, fingerprint, name, version, settings }: NodeIdentity): Promise<Registration> {
    const { nodes } = this.state;
    const now = this.#now();
    let node = [...nodes.values()].find((each) => each.id === id);
    const other = [...nodes.values()].find(
      (each) =>
        each.id !== id && isActive(each) && each.seenAt > now - LOST_MS && each.mode !== settings['billing.mode'],
    );
    if (other !== undefined) return { refused: 'other_mode', name: other.name, mode: other.mode };
    const isClone = node !== undefined && isActive(node) && node.fingerprint !== fingerprint;
    if (node !== undefined && isClone && node.seenAt > now - CLONE_MS) return { refused: 'id_in_use', name: node.name };
    const slot = node?.slot ?? this.#freeSlot();
    const isCarried = node !== undefined && (isActive(node) || this.#hasLeases(slot));
    const carriedEpoch = isCarried && node !== undefined ? (node.carriedEpoch ?? node.epoch) : null;
    // Larger than those that a state of an earlier time has forgotten, too.
    const epoch = Math.max(this.state.lastEpoch + 1, now);
    this.state.lastEpoch = epoch;
    const fresh = { seenAt: now, feedSeq: 0, unsentFrom: null };
    const mode = settings['billing.mode'];
    node = { slot, id, fingerprint, name, version, mode, epoch, carriedEpoch, state: 'live', ...fresh };
    nodes.set(slot, node);
    return { refused: null, place: { slot, epoch }, carriedEpoch };
  }

  /** Nobody reads more of them than the mode, which does not change. */
  async noteSettings(): Promise<void> {}

  async pulse(place: NodePlace, request: PulseRequest): Promise<Pulse> {
    const now = this.#now();
    const node = this.#nodeOf(place);
    const state = request.isDraining ? 'draining' : 'live';
    const { feedSeq, unsentFrom } = request;
    const isSent = unsentFrom === null;
    if (
      node !== null &&
      (node.seenAt <= now - SEEN_EVERY_MS || node.state !== state || (node.unsentFrom === null) !== isSent)
    )
      Object.assign(node, { seenAt: Math.max(node.seenAt, now), state, feedSeq, unsentFrom });
    const { changes } = this.state;
    const lastSeq = changes.at(-1)?.seq ?? 0;
    const recalls = [...this.#recalls.values()].filter(
      ({ ref, at, slot }) => at > now - RECALLED_MS && slot !== place.slot && this.#rest(ref, place.slot) > 0n,
    );
    return {
      isMine: node !== null,
      now,
      liveNodes: this.#liveNodes(),
      lastSeq,
      changes: changes.filter(({ seq }) => seq > request.feedSeq).slice(0, CHANGES_AT_ONCE),
      recalls: recalls.map(({ ref }) => ref),
    };
  }

  async listen(wake: () => void): Promise<() => Promise<void>> {
    this.#wakes.add(wake);
    return async () => void this.#wakes.delete(wake);
  }

  async lease(place: NodePlace, wants: readonly Want[], isTogether: boolean): Promise<LeaseAnswer> {
    if (this.#nodeOf(place) === null) return { isOver: true };
    const { slot } = place;
    for (const { purse, budgets } of wants)
      if (budgets !== null) this.state.budgets.set(purseKey(purse), { ...budgets });
    const offers = wants.map((want) => this.#offer(slot, want));
    const isRefused = isTogether && offers.includes(null);
    const shares = wants.map((want, index) => this.#lend(slot, want, isRefused ? null : (offers[index] ?? null)));
    for (const [index, { purse, shortfall }] of wants.entries()) {
      const { elsewhere } = shares[index] as Share;
      if (this.#freeOf(wants[index] as Want).free < shortfall && offers[index] === null && elsewhere > 0n)
        this.#recall(purse, slot);
    }
    return { isOver: false, shares, day: this.#today() };
  }

  async giveBack(place: NodePlace, returned: readonly Returned[]): Promise<readonly boolean[]> {
    if (this.#nodeOf(place) === null) return returned.map(() => true);
    return returned.map((each) => this.#takeBack(place.slot, each));
  }

  async settle(place: NodePlace, { epoch, encoded }: SentBatch): Promise<SettleAnswer> {
    const node = this.state.nodes.get(place.slot);
    const isPrepaid = this.#parts.mode === 'prepaid';
    const isOfNode = node !== undefined && isActive(node) && epoch >= (node.carriedEpoch ?? node.epoch);
    const isLent = epoch === 0 ? null : isOfNode && epoch <= node.epoch;
    const by = { slot: place.slot, isLent, isEarlier: epoch !== node?.epoch, isPrepaid };
    const sent = encoded.flatMap((bytes) => this.#parts.decode(bytes));
    const answer = settleCalls(this.state, by, sent);
    if (by.isLent === true) this.faults += answer.late?.calls ?? 0;
    return answer;
  }

  async closeLeases(place: NodePlace): Promise<void> {
    const node = this.#nodeOf(place);
    if (node === null) return;
    node.carriedEpoch = null;
    this.state.close(place.slot);
  }

  async leave(place: NodePlace): Promise<void> {
    const node = this.#nodeOf(place);
    if (node === null) return;
    this.state.close(place.slot);
    node.carriedEpoch = null;
    Object.assign(node, { state: 'gone', seenAt: this.#now(), unsentFrom: null });
  }

  async reap(place: NodePlace, lostAfterMs: number): Promise<readonly number[]> {
    if (this.#nodeOf(place) === null) return [];
    const before = this.#now() - lostAfterMs;
    const lost = [...this.state.nodes.values()].filter(
      (node) => node.slot !== place.slot && isActive(node) && node.seenAt < before,
    );
    for (const node of lost) {
      node.state = 'lost';
      node.unsentFrom ??= node.seenAt;
      node.carriedEpoch = null;
      this.state.close(node.slot);
    }
    return lost.map(({ slot }) => slot);
  }

  /** See `VisitorBank`. */
  async recall(accountId: AccountId): Promise<{ readonly free: Money; readonly lent: Money }> {
    const purse: PurseRef = { kind: 'balance', id: accountId };
    const lent = nanoUsd(this.state.lent(purse, null));
    if (lent > 0n) this.#recall(purse, NO_SLOT);
    return { free: nanoUsd(this.state.accounts.get(accountId)?.free ?? 0n), lent };
  }

  async nodes(): Promise<readonly KnownNode[]> {
    const now = this.#now();
    return [...this.state.nodes.values()].map(({ fingerprint, mode: _mode, carriedEpoch, ...node }) => {
      let lent = 0n;
      for (const [key, leases] of this.state.leases) {
        const lease = leases.get(node.slot);
        if (key.startsWith('balance ') && lease !== undefined) lent += lease.granted - lease.spent;
      }
      return { ...node, seenAgoMs: now - node.seenAt, lent: nanoUsd(lent) };
    });
  }

  /** As the ledger of such a bank posts entries. */
  post(entry: NewEntry, rules: PostingRules): PostAnswer {
    const { entries } = this.state;
    const known = entries.find((each) => each.accountId === entry.accountId && each.reference === entry.reference);
    if (known !== undefined) {
      const isSame = known.kind === entry.kind && known.amount === entry.amount && known.callId === entry.callId;
      return isSame ? { refused: null, entry: known, isNew: false } : { refused: 'reference_taken' };
    }
    if (this.state.madeAt.get(entry.accountId) === Number.POSITIVE_INFINITY) return { refused: 'unknown_account' };
    const { free } = this.state.knownAccount(entry.accountId);
    const refused = rules({
      totals: this.totals(entry.accountId),
      call: entry.callId === null ? null : this.chargeOf(entry.callId),
      ...(this.#parts.mode === 'prepaid' && { free: nanoUsd(free) }),
    });
    if (refused !== null) return { refused };
    const account = this.state.account(entry.accountId);
    account.free += entry.amount;
    if (isOfCharges(entry.kind)) account.charged -= entry.amount;
    else account.credited += entry.amount;
    const posted = { ...entry, id: entryId(entries.length + 1) };
    entries.push(posted);
    return { refused: null, entry: posted, isNew: true };
  }

  totals(accountId: AccountId) {
    const { credited } = this.state.knownAccount(accountId);
    const charged = nanoUsd(this.state.charged(accountId));
    return { balance: nanoUsd(this.state.balance(accountId)), credited: nanoUsd(credited), charged };
  }

  chargeOf(callId: CallId) {
    const settled = this.state.settled.get(callId);
    if (settled === undefined) return null;
    let refunded = 0n;
    for (const { callId: of, kind, amount } of this.state.entries)
      if (of === callId && kind === 'refund') refunded += amount;
    const { accountId, charge } = settled.settlement;
    return { accountId, charge, refunded: nanoUsd(refunded) };
  }

  moneyOf({ scope, id }: ScopeRef): ScopeMoney {
    const ref = { kind: scope, id };
    const today = this.#today();
    const spent = Object.fromEntries(
      BUDGET_WINDOWS.map((window) => [window, nanoUsd(this.state.spent(ref, window, today))]),
    ) as ScopeMoney['spent'];
    const days = [...(this.state.days.get(purseKey(ref))?.keys() ?? [])];
    const isKept = scope === 'account' && this.#parts.mode !== 'off';
    const held = isKept ? this.state.lent({ kind: 'balance', id }, null) : 0n;
    const totals = this.totals(id as AccountId);
    const available = nanoUsd(totals.balance - held);
    return {
      balance: isKept ? { ...totals, held: nanoUsd(held), available } : null,
      spent,
      held: nanoUsd(held),
      lastDay: days.length === 0 ? null : Math.max(...days),
    };
  }

  /** Something was changed: every node will hear of it. */
  publish(topic: string, id: string): void {
    const { changes } = this.state;
    changes.push({ seq: (changes.at(-1)?.seq ?? 0) + 1, at: this.#now(), topic, id });
    this.#wake();
  }

  /** How much more may be lent; null if it is refused, or the request is not new. */
  #offer(slot: number, want: Want): bigint | null {
    const { purse, seq, shortfall, wish } = want;
    const lease = this.state.leasesOf(purse).get(slot);
    if (lease !== undefined && lease.seq >= seq) return null;
    const { free, isBounded } = this.#freeOf(want);
    if (!isBounded) return wish;
    const part = free / 2n / BigInt(this.#liveNodes());
    if (free >= 0n && part >= shortfall) return wish < part ? (wish > shortfall ? wish : shortfall) : part;
    return free >= shortfall ? shortfall : null;
  }

  #lend(slot: number, want: Want, more: bigint | null): Share {
    const { purse, seq } = want;
    const leases = this.state.leasesOf(purse);
    let lease = leases.get(slot);
    if (lease === undefined) {
      lease = { granted: 0n, spent: 0n, seq: 0 };
      leases.set(slot, lease);
    }
    if (seq > lease.seq) lease.seq = seq;
    lease.granted += more ?? 0n;
    if (purse.kind === 'balance') this.state.account(purse.id).free -= more ?? 0n;
    const { free, window } = this.#freeOf(want);
    const elsewhere = nanoUsd(this.state.lent(purse, slot));
    return { granted: nanoUsd(lease.granted), free: nanoUsd(free), elsewhere, window };
  }

  #freeOf({ purse, budgets }: Want) {
    const isBalance = purse.kind === 'balance';
    if (isBalance) {
      const { free } = this.state.account(purse.id);
      return { free, window: null, isBounded: this.#parts.mode === 'prepaid' };
    }
    const found = this.state.room(purse, budgets ?? {}, this.#today());
    if (found === null) return { free: UNLIMITED, window: null, isBounded: false };
    return { free: found.room, window: found.window, isBounded: true };
  }

  #takeBack(slot: number, { purse, seq, keeps, isLast }: Returned): boolean {
    const leases = this.state.leasesOf(purse);
    const lease = leases.get(slot);
    if (lease === undefined) return true;
    if (lease.seq > seq) return false;
    if (lease.seq < seq) {
      const kept = keeps > lease.spent ? keeps : lease.spent;
      const more = lease.granted > kept ? lease.granted - kept : 0n;
      lease.granted -= more;
      if (purse.kind === 'balance') this.state.account(purse.id).free += more;
    }
    lease.seq = seq;
    if (!isLast || lease.granted !== lease.spent) return false;
    leases.delete(slot);
    if (purse.kind === 'balance') this.state.returned(purse.id, 0n, lease.spent);
    return true;
  }

  #recall(ref: PurseRef, slot: number): void {
    this.#recalls.set(purseKey(ref), { ref, at: this.#now(), slot });
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#wakes) wake();
  }

  #rest(ref: PurseRef, slot: number): bigint {
    const lease = this.state.leasesOf(ref).get(slot);
    return lease === undefined ? 0n : lease.granted - lease.spent;
  }

  #hasLeases(slot: number): boolean {
    for (const leases of this.state.leases.values()) if (leases.has(slot)) return true;
    return false;
  }

  /** The lowest of a node that ended in order, or was lost a day ago; a new one if there is none. */
  #freeSlot(): number {
    const before = this.#now() - SLOT_KEPT_MS;
    const slots = [...this.state.nodes.values()]
      .filter(({ state, seenAt }) => state === 'gone' || (state === 'lost' && seenAt < before))
      .map(({ slot }) => slot)
      .filter((slot) => !this.#hasLeases(slot));
    return slots.length > 0 ? Math.min(...slots) : Math.max(0, ...this.state.nodes.keys()) + 1;
  }

  /** Null if the epoch is over. */
  #nodeOf({ slot, epoch }: NodePlace): NodeRow | null {
    const node = this.state.nodes.get(slot);
    return node !== undefined && node.epoch === epoch && isActive(node) ? node : null;
  }

  #liveNodes(): number {
    let count = 0;
    for (const { state } of this.state.nodes.values()) if (state === 'live') count += 1;
    return Math.max(count, 1);
  }

  #now(): number {
    return this.#parts.clock.now();
  }

  #today(): number {
    return dayOf(this.#now());
  }
}

/** As much as 64 bits hold. */
const UNLIMITED = 2n ** 63n - 1n;

function isActive({ state }: NodeRow): boolean {
  return state === 'live' || state === 'draining';
}
