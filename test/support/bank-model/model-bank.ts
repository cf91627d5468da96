/** The model of the bank, and of claims of idempotency keys, as a bank that is compared. */
import type { BillingMode } from '../../../src/billing/billing-mode.ts';
import { postingRules } from '../../../src/billing/posting-rules.ts';
import { BUDGET_WINDOWS } from '../../../src/core/budget.ts';
import { ManualClock } from '../../../src/core/clock.ts';
import { type AccountId, type CallId, callIdBytes } from '../../../src/core/ids.ts';
import { NO_MONEY, nanoUsd } from '../../../src/core/money.ts';
import { MemoryBank } from '../../../src/nodes/memory-bank/memory-bank.ts';
import type { SentSettlement } from '../../../src/nodes/memory-bank/settle-calls.ts';
import type { NodePlace, SentBatch, SettleAnswer } from '../../../src/nodes/ports.ts';
import type { EarlierCall, ReplayClaim, ReplayClaims, ReplayRow, RunningClaim } from '../../../src/replay/ports.ts';
import { decodeBatch } from '../../../src/storage/journal/decode-batch.ts';
import { ACCOUNTS, type ComparedBank, START } from './compared-bank.ts';

export function openModel(mode: BillingMode): ComparedBank {
  const clock = new ManualClock(START);
  const bank: ModelBank = new ModelBank({ clock, mode, decode: (bytes) => bank.decode(bytes) });
  for (const { account } of ACCOUNTS) bank.state.madeAt.set(account, 0);
  return {
    bank,
    async setTime(ms) {
      clock.advance(ms - clock.now());
    },
    async post(entry) {
      return bank.post(entry, postingRules(entry, mode, null));
    },
    claims: (place) => new ModelClaims(bank, place),
    async makeAccount(accountId, at) {
      if (!Number.isFinite(bank.state.madeAt.get(accountId))) bank.state.madeAt.set(accountId, at);
    },
    async loseAccount(accountId) {
      bank.loseAccount(accountId);
    },
    async tables() {
      return bank.tables(mode === 'prepaid');
    },
  };
}

interface Claim {
  readonly bodyDigest: Uint8Array;
  readonly callId: CallId;
  readonly expiresAt: number;
  readonly slot: number;
  readonly epoch: number;
}

class ModelBank extends MemoryBank {
  /** By project and digest. */
  readonly claims = new Map<string, Claim>();
  readonly replays = new Map<string, ReplayRow>();
  /** Calls that lost their names before they were settled, and who took them. */
  readonly superseded = new Map<CallId, CallId | null>();
  /** Those of the batch that is settled. */
  #absorbed: ReadonlySet<CallId> = new Set();

  /** The operator bears what superseded calls cost. */
  decode(bytes: Uint8Array): readonly SentSettlement[] {
    return decodeBatch(bytes).settlements.map((sent) => {
      const { callId, charge, nodeLoss } = sent.settlement;
      if (!this.#absorbed.has(callId)) return sent;
      return { ...sent, settlement: { ...sent.settlement, charge: NO_MONEY, nodeLoss: nanoUsd(nodeLoss + charge) } };
    });
  }

  override async settle(place: NodePlace, batch: SentBatch): Promise<SettleAnswer> {
    const before = new Set(this.state.settled.keys());
    const decoded = batch.encoded.map((bytes) => decodeBatch(bytes));
    const rows = decoded.flatMap(({ replays }) => replays);
    const settlements = new Map(
      decoded.flatMap((each) => each.settlements).map(({ settlement }) => [settlement.callId, settlement]),
    );
    const named = this.#isLive(place, batch.epoch) ? rows.map(({ callId }) => callId) : [...settlements.keys()];
    this.#absorbed = new Set(named.filter((callId) => this.superseded.has(callId)));
    const answer = absorbing(
      await super.settle(place, batch),
      [...this.#absorbed].flatMap((callId) => (before.has(callId) ? [] : (settlements.get(callId)?.charge ?? []))),
    );
    for (const callId of this.#absorbed) this.release(callId);
    const fresh = rows.filter(
      ({ callId }) => this.state.settled.has(callId) && !before.has(callId) && !this.#absorbed.has(callId),
    );
    // The later of two calls under one key remains.
    for (const row of fresh.toSorted((one, other) => (one.callId < other.callId ? -1 : 1))) {
      this.replays.set(claimKey(row.projectId, row.keyDigest), row);
    }
    for (const row of fresh)
      if (this.replays.get(claimKey(row.projectId, row.keyDigest)) === row) this.release(row.callId);
    return answer;
  }

  #isLive({ slot }: NodePlace, epoch: number): boolean {
    const node = this.state.nodes.get(slot);
    if (node === undefined || !['live', 'draining'].includes(node.state)) return false;
    return epoch >= (node.carriedEpoch ?? node.epoch) && epoch <= node.epoch;
  }

  /** Another call has the name of this one, or nobody. */
  supersede(callId: CallId, by: CallId | null): void {
    if (!this.state.settled.has(callId) && !this.superseded.has(callId)) this.superseded.set(callId, by);
  }

  override async closeLeases(place: NodePlace, runsSince?: number): Promise<void> {
    const node = this.state.nodes.get(place.slot);
    if (runsSince !== undefined && node?.epoch === place.epoch && ['live', 'draining'].includes(node.state))
      for (const [key, claim] of this.claims)
        if (claim.slot === place.slot && claim.epoch >= runsSince && claim.epoch <= place.epoch)
          this.claims.set(key, { ...claim, epoch: place.epoch });
    return super.closeLeases(place);
  }

  release(callId: CallId): void {
    for (const [key, claim] of this.claims) if (claim.callId === callId) this.claims.delete(key);
  }

  loseAccount(accountId: AccountId): void {
    const { accounts, leases, madeAt } = this.state;
    madeAt.set(accountId, Number.POSITIVE_INFINITY);
    accounts.delete(accountId);
    leases.delete(`balance ${accountId}`);
  }

  tables(isPrepaid: boolean): readonly string[] {
    const { accounts, leases, budgets, days, nodes, settled, entries } = this.state;
    const lines: string[] = [];
    for (const [id, { free }] of accounts) {
      const { balance, credited, charged } = this.totals(id as AccountId);
      if (free === 0n && balance === 0n && credited === 0n && charged === 0n) continue;
      lines.push(`account ${id}: ${isPrepaid ? `${free} of ${balance}` : balance}, ${credited}, ${charged}`);
    }
    for (const [purse, bySlot] of leases)
      for (const [slot, { granted, spent, seq }] of bySlot)
        lines.push(`lease ${purse} of ${slot}: ${granted}, ${spent}, number ${seq}`);
    for (const [purse, limits] of budgets)
      if (Object.keys(limits).length > 0)
        lines.push(`limits ${purse}: ${BUDGET_WINDOWS.map((window) => limits[window] ?? 'none').join(', ')}`);
    for (const [purse, byDay] of days)
      for (const [day, { calls, charge, ownCost }] of byDay)
        lines.push(`day ${day} of ${purse}: ${calls}, ${charge}, ${ownCost}`);
    for (const { slot, id, state, epoch, carriedEpoch, seenAt, feedSeq, unsentFrom } of nodes.values())
      lines.push(`node ${slot}: ${id}, ${state}, ${epoch}, ${carriedEpoch}, ${seenAt}, ${feedSeq}, ${unsentFrom}`);
    const sums = new Map<number, bigint>();
    for (const [callId, { settlement, rootId, day }] of settled) {
      const { accountId, charge, nodeLoss } = settlement;
      lines.push(`call ${hex(callIdBytes(callId))}: ${charge}, ${nodeLoss}, key ${rootId}, day ${day}`);
      sums.set(accountId, (sums.get(accountId) ?? 0n) + charge);
    }
    for (const [accountId, sum] of sums) lines.push(`hours of ${accountId}: ${sum}`, `days of ${accountId}: ${sum}`);
    for (const { accountId, kind, amount, reference, callId } of entries)
      lines.push(
        `entry ${accountId} ${reference}: ${kind}, ${amount}, ${callId === null ? null : hex(callIdBytes(callId))}`,
      );
    for (const [key, { callId, slot, epoch, expiresAt, bodyDigest }] of this.claims)
      lines.push(`claim ${key}: ${hex(callIdBytes(callId))}, ${slot}, ${epoch}, ${expiresAt}, ${hex(bodyDigest)}`);
    for (const [key, { callId, bodyDigest }] of this.replays)
      lines.push(`replay ${key}: ${hex(callIdBytes(callId))}, ${hex(bodyDigest)}`);
    for (const [callId, by] of this.superseded)
      lines.push(`superseded ${hex(callIdBytes(callId))}: ${by === null ? null : hex(callIdBytes(by))}`);
    return lines.sort();
  }
}

class ModelClaims implements Pick<ReplayClaims, 'claim' | 'claimAgain' | 'release' | 'giveUp'> {
  readonly #bank: ModelBank;
  readonly #place: () => NodePlace;

  constructor(bank: ModelBank, place: () => NodePlace) {
    this.#bank = bank;
    this.#place = place;
  }

  async claim(claim: ReplayClaim): Promise<EarlierCall | null> {
    const { claims } = this.#bank;
    const { projectId, keyDigests, bodyDigest, callId, nowMs, expiresAt } = claim;
    const first = claimKey(projectId, keyDigests[0]);
    const holder = claims.get(first);
    const isTaken = holder === undefined || holder.callId === callId || !this.#isRunning(holder, nowMs);
    if (isTaken && holder !== undefined && holder.callId !== callId) this.#bank.supersede(holder.callId, callId);
    if (isTaken) claims.set(first, { bodyDigest, callId, expiresAt, ...this.#place() });
    const earlier = this.#ended(claim) ?? this.#running(claim, isTaken);
    if (earlier !== null && isTaken) this.#bank.release(callId);
    return earlier;
  }

  async claimAgain(running: readonly RunningClaim[]): Promise<void> {
    for (const { projectId, keyDigest, ...claim } of running) {
      if (this.#bank.superseded.has(claim.callId)) continue;
      const key = claimKey(projectId, keyDigest);
      const known = this.#bank.claims.get(key);
      if (known === undefined) this.#bank.claims.set(key, { ...claim, ...this.#place() });
      else if (known.callId === claim.callId) this.#bank.claims.set(key, { ...known, ...this.#place() });
    }
  }

  async release(calls: readonly CallId[]): Promise<void> {
    for (const call of calls) this.#bank.release(call);
  }

  async giveUp(calls: readonly CallId[], nowMs: number): Promise<boolean> {
    const given = [...this.#bank.claims.values()].filter(({ callId }) => calls.includes(callId));
    if (given.some((claim) => this.#isRunning(claim, nowMs))) return false;
    for (const { callId } of given) {
      this.#bank.supersede(callId, null);
      this.#bank.release(callId);
    }
    return true;
  }

  #ended({ projectId, keyDigests, nowMs }: ReplayClaim): EarlierCall | null {
    for (const [digest, each] of keyDigests.entries()) {
      const row = this.#bank.replays.get(claimKey(projectId, each));
      if (row !== undefined && row.expiresAt > nowMs)
        return { callId: row.callId, digest, bodyDigest: row.bodyDigest, hasEnded: true };
    }
    return null;
  }

  #running({ projectId, keyDigests, callId, nowMs }: ReplayClaim, isTaken: boolean): EarlierCall | null {
    for (const [digest, each] of keyDigests.entries()) {
      const claim = this.#bank.claims.get(claimKey(projectId, each));
      const isOther = claim !== undefined && claim.callId !== callId && this.#isRunning(claim, nowMs);
      if (claim !== undefined && (digest === 0 ? !isTaken : isOther))
        return { callId: claim.callId, digest, bodyDigest: claim.bodyDigest, hasEnded: false };
    }
    return null;
  }

  #isRunning({ slot, epoch, expiresAt }: Claim, nowMs: number): boolean {
    const node = this.#bank.state.nodes.get(slot);
    if (node === undefined || expiresAt <= nowMs || !['live', 'draining'].includes(node.state)) return false;
    return node.epoch === epoch || (node.carriedEpoch !== null && epoch >= node.carriedEpoch);
  }
}

/** With those of which the operator bears all. */
function absorbing({ conflicts, late }: SettleAnswer, charges: readonly bigint[]): SettleAnswer {
  const absorbed = charges.filter((charge) => charge > 0n);
  if (absorbed.length === 0) return { conflicts, late };
  const loss = absorbed.reduce((sum, charge) => sum + charge, late?.loss ?? 0n);
  return { conflicts, late: { ...late, calls: (late?.calls ?? 0) + absorbed.length, loss: nanoUsd(loss) } };
}

function claimKey(project: number, digest: Uint8Array): string {
  return `${project} ${hex(digest)}`;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
