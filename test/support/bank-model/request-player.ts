/** Plays random requests to a bank: three nodes that may be killed and lost, two accounts, and an operator. */
import { createHash } from 'node:crypto';
import type { BillingMode } from '../../../src/billing/billing-mode.ts';
import type { Budgets } from '../../../src/core/budget.ts';
import { dayOf } from '../../../src/core/calendar.ts';
import { accountId, type CallId, callIdFromBytes, keyId, projectId } from '../../../src/core/ids.ts';
import type { Money } from '../../../src/core/money.ts';
import type { Settlement } from '../../../src/core/settlement.ts';
import { NO_USAGE } from '../../../src/core/usage.ts';
import { SETTINGS } from '../../../src/nodes/contract/test-node.ts';
import type { NodePlace, PurseKind, PurseRef } from '../../../src/nodes/ports.ts';
import type { ReplayRow, RunningClaim } from '../../../src/replay/ports.ts';
import { type BatchRow, encodeBatch } from '../../../src/storage/journal/encode-batch.ts';
import { ACCOUNTS, type ComparedBank, SCOPES, START } from './compared-bank.ts';
import { DAY_MS, type EpochChoice, PURSES, type Request, type RequestedCall, type RequestOf } from './requests.ts';

const LOST_AFTER_MS = 120_000;
const KINDS = ['balance', 'key', 'project', 'account'] as const satisfies readonly PurseKind[];

interface PlayedNode {
  readonly name: string;
  place: NodePlace;
  /** The epoch before this one, and the first one of the process. */
  before: number;
  since: number;
  claims: RunningClaim[];
}

interface SentBefore {
  readonly calls: readonly BatchRow[];
}

export class RequestPlayer {
  /** Whether a call was charged for which nothing was lent, or whose account was lost. */
  isAlwaysLent = true;
  readonly #bank: ComparedBank;
  readonly #mode: BillingMode;
  readonly #nodes: PlayedNode[] = [];
  readonly #budgets = new Map<string, Budgets>();
  readonly #sent: SentBefore[] = [];
  #now = START;
  #seq = 0;
  #calls = 0;
  #posted = 0;

  private constructor(bank: ComparedBank, mode: BillingMode) {
    this.#bank = bank;
    this.#mode = mode;
  }

  static async start(bank: ComparedBank, mode: BillingMode): Promise<RequestPlayer> {
    const player = new RequestPlayer(bank, mode);
    for (const name of ['one', 'two', 'three']) {
      const answer = await bank.bank.register(identityOf(name));
      if (answer.refused !== null) throw new Error('a node is refused');
      const { epoch } = answer.place;
      player.#nodes.push({ name, place: answer.place, before: epoch, since: epoch, claims: [] });
    }
    for (const { account } of ACCOUNTS) await player.#post(account, 'topup', 100, null, 'first');
    return player;
  }

  /** What the bank answered; the same from every bank, in the same order. */
  async play(request: Request): Promise<unknown> {
    if ('node' in request) return this.#playAt(request, this.#nodes[request.node] as PlayedNode);
    switch (request.what) {
      case 'limit': {
        const limits = Object.entries(request.limits).flatMap(([window, limit]) =>
          limit === null ? [] : [[window, BigInt(limit)]],
        );
        this.#budgets.set(keyOf(purseAt(request.purse)), Object.fromEntries(limits));
        return null;
      }
      case 'post':
        return this.#postAsked(request);
      case 'recall': {
        const { free, lent } = await this.#bank.bank.recall(accountAt(request.account));
        return this.#mode === 'prepaid' ? { free, lent } : null;
      }
      case 'time':
        this.#now = Math.max(START - 60 * DAY_MS, this.#now + request.ms);
        return this.#bank.setTime(this.#now);
      case 'account':
        if (!request.isLost) return this.#bank.makeAccount(accountAt(request.account), this.#now);
        return this.#bank.loseAccount(accountAt(request.account));
    }
  }

  /** What pages show. */
  async shown(): Promise<unknown> {
    const found = await this.#bank.bank.money.of(SCOPES);
    return found.map(({ balance, spent, lastDay }) => ({ balance: balance?.balance ?? null, spent, lastDay }));
  }

  #playAt(request: Extract<Request, { readonly node: number }>, node: PlayedNode): Promise<unknown> | null {
    const { bank } = this.#bank;
    const { place } = node;
    switch (request.what) {
      case 'lease':
        return this.#lease(request, node);
      case 'give back':
        return this.#giveBack(request, node);
      case 'settle':
        return this.#settle(request, node);
      case 'again':
        return this.#again(request, node);
      case 'pulse':
        return this.#pulse(request, node);
      case 'register':
        return this.#register(node);
      case 'close':
        return bank.closeLeases(place, request.isSameProcess ? node.since : undefined);
      case 'leave':
        return bank.leave(place);
      case 'reap':
        return this.#reap(request.waits, node);
      case 'claim':
        return this.#claim(request, node);
      case 'release': {
        const claim = node.claims[request.claim];
        if (claim === undefined) return null;
        node.claims = node.claims.filter((each) => each !== claim);
        return this.#bank.claims(() => place).release([claim.callId]);
      }
      case 'give up': {
        const calls = node.claims.slice(0, request.claim).map(({ callId }) => callId);
        return this.#bank.claims(() => place).giveUp(calls, this.#now);
      }
      case 'claim again':
        return this.#bank.claims(() => place).claimAgain(node.claims);
    }
  }

  async #lease({ purses, amounts, isOld, isTogether, isOfAnother }: RequestOf<'lease'>, node: PlayedNode) {
    const wants = this.#pursesAt(purses).map((purse, index) => {
      const { shortfall, more } = amounts[index] as { shortfall: number; more: number };
      const budgets = purse.kind === 'balance' ? null : (this.#budgets.get(keyOf(purse)) ?? {});
      return { purse, seq: this.#nextSeq(isOld), shortfall: money(shortfall), wish: money(shortfall + more), budgets };
    });
    if (wants.length === 0) return null;
    const place = isOfAnother ? { ...node.place, epoch: node.before } : node.place;
    return this.#bank.bank.lease(place, wants, isTogether);
  }

  async #giveBack({ purses, keeps, isLast, isOld }: RequestOf<'give back'>, node: PlayedNode) {
    const returned = this.#pursesAt(purses).map((purse, index) => ({
      ...{ purse, seq: this.#nextSeq(isOld), isLast },
      keeps: money(keeps[index] as number),
    }));
    return returned.length === 0 ? null : this.#bank.bank.giveBack(node.place, returned);
  }

  async #settle({ calls, epoch, isTwice, isLent }: RequestOf<'settle'>, node: PlayedNode) {
    const made = calls.map((call) => this.#callOf(call, node));
    const shares = isLent ? await this.#leaseFor(made, node) : null;
    const batch = isTwice ? [...made, ...made.slice(0, 1)] : made;
    this.#sent.push({ calls: batch });
    return { shares, ...(await this.#send(batch, node, epoch)) };
  }

  /** What the calls need of each purse, all or nothing. */
  async #leaseFor(calls: readonly BatchRow[], node: PlayedNode) {
    const needed = new Map<string, { readonly purse: PurseRef; sum: bigint }>();
    for (const { settlement, lease } of calls)
      for (const purse of ALL_PURSES) {
        const isOfCall = [settlement.accountId, settlement.projectId, settlement.keyId].some((id) => id === purse.id);
        const isLimited =
          purse.kind === 'balance' ? settlement.hold !== null : (lease?.budgets ?? 0) & BITS[purse.kind];
        if (!isOfCall || !isLimited || (purse.kind === 'balance' && this.#mode !== 'prepaid')) continue;
        const known = needed.get(keyOf(purse));
        if (known === undefined) needed.set(keyOf(purse), { purse, sum: settlement.charge });
        else known.sum += settlement.charge;
      }
    const wants = [...needed.values()].map(({ purse, sum }) => {
      const budgets = purse.kind === 'balance' ? null : (this.#budgets.get(keyOf(purse)) ?? {});
      return { purse, seq: this.#nextSeq(false), shortfall: sum as Money, wish: (sum * 2n) as Money, budgets };
    });
    return wants.length === 0 ? null : this.#bank.bank.lease(node.place, wants, true);
  }

  async #again({ batch, isOther, epoch }: RequestOf<'again'>, node: PlayedNode) {
    const sent = this.#sent.at(-1 - batch);
    if (sent === undefined) return null;
    const [first, ...rest] = sent.calls as [BatchRow, ...BatchRow[]];
    const other = { ...first, settlement: { ...first.settlement, operation: 'other' } };
    return this.#send(isOther ? [other, ...rest] : sent.calls, node, epoch);
  }

  async #send(calls: readonly BatchRow[], node: PlayedNode, choice: EpochChoice) {
    const others = this.#nodes.filter((each) => each !== node);
    const epochs = { own: node.place.epoch, before: node.before, none: 0, 'of another': others[0]?.place.epoch ?? 0 };
    if (choice === 'none') this.isAlwaysLent = false;
    const encoded = [encodeBatch(calls)];
    const { conflicts, late } = await this.#bank.bank.settle(node.place, { epoch: epochs[choice], encoded });
    return { conflicts: conflicts.toSorted(), late };
  }

  async #pulse({ isDraining, hasUnsent }: RequestOf<'pulse'>, { place }: PlayedNode) {
    const unsentFrom = hasUnsent ? START : null;
    const { isMine, now, liveNodes, recalls } = await this.#bank.bank.pulse(place, {
      ...{ feedSeq: 0, unsentFrom, isDraining },
    });
    return { isMine, now, liveNodes, recalls: recalls.map(keyOf).sort() };
  }

  async #register(node: PlayedNode) {
    const answer = await this.#bank.bank.register(identityOf(node.name));
    if (answer.refused !== null) return answer;
    node.before = node.place.epoch;
    node.since = answer.carriedEpoch ?? answer.place.epoch;
    node.place = answer.place;
    const { slot, epoch } = answer.place;
    return { slot, epoch, carriedEpoch: answer.carriedEpoch };
  }

  async #reap(waits: boolean, { place }: PlayedNode) {
    if (waits) {
      this.#now += LOST_AFTER_MS + 1_000;
      await this.#bank.setTime(this.#now);
      await this.#bank.bank.pulse(place, { feedSeq: 0, unsentFrom: null, isDraining: false });
    }
    return (await this.#bank.bank.reap(place, LOST_AFTER_MS)).toSorted((one, other) => one - other);
  }

  async #claim({ key, body, isSameCall, forMs }: RequestOf<'claim'>, node: PlayedNode) {
    const project = projectId(ACCOUNTS[key.project as 0 | 1].project);
    const [keyDigest, second] = [digest(`key ${key.name}`), key.second === null ? [] : [digest(`key ${key.second}`)]];
    const known = node.claims.at(-1)?.callId;
    const callId = isSameCall && known !== undefined ? known : this.#nextCallId(this.#now);
    const claim = { projectId: project, bodyDigest: digest(`body ${body}`), callId, expiresAt: this.#now + forMs };
    const keyDigests = [keyDigest, ...second.filter((each) => !each.equals(keyDigest))] as const;
    const { place } = node;
    const earlier = await this.#bank
      .claims(() => place)
      .claim({ ...claim, nowMs: this.#now, keyDigests: [...keyDigests] });
    // A call that claims again has one answer all the same.
    const isNew = node.claims.every((each) => each.callId !== callId);
    if (earlier === null && isNew) node.claims.push({ ...claim, keyDigest });
    return earlier === null ? null : { ...earlier, bodyDigest: Buffer.from(earlier.bodyDigest).toString('hex') };
  }

  async #postAsked({ account, kind, amount, call, isOld, isMade }: RequestOf<'post'>) {
    if (!isOld) this.#posted += 1;
    const refunded = kind === 'refund' ? (this.#sent.at(-1 - call)?.calls[0]?.settlement.callId ?? null) : null;
    if (isMade) await this.#bank.makeAccount(accountAt(account), this.#now);
    const signed = kind === 'adjustment' ? amount : Math.abs(amount);
    return this.#post(accountAt(account), kind, signed, refunded, String(this.#posted));
  }

  async #post(
    account: number,
    kind: RequestOf<'post'>['kind'],
    amount: number,
    callId: CallId | null,
    reference: string,
  ) {
    const answer = await this.#bank.post({
      ...{ accountId: accountId(account), kind, amount: money(amount), reference, callId },
      ...{ note: null, at: this.#now },
    });
    return answer.refused ?? [answer.isNew, answer.entry.amount, answer.entry.callId];
  }

  #callOf(
    { account, charge, budgets, day, ago, isHeld, isOwnCredential, ends }: RequestedCall,
    node: PlayedNode,
  ): BatchRow {
    const admittedAt = this.#now - ago;
    const { key, project, account: owner } = ACCOUNTS[account as 0 | 1];
    const ended = ends === null ? undefined : node.claims[ends];
    if (ended !== undefined) node.claims = node.claims.filter((each) => each !== ended);
    const callId = ended?.callId ?? this.#nextCallId(admittedAt);
    const settlement: Settlement = {
      ...{ callId, admittedAt, accountId: accountId(owner), projectId: projectId(project), keyId: keyId(key) },
      ...{ operation: 'chat', model: 'acme/large', provider: 'acme' },
      ...{ usage: { ...NO_USAGE, inputTokens: 10, outputTokens: 5 }, usageSource: 'reported', priceVersion: null },
      ...{ cost: money(charge), rate: 1_000_000 as Settlement['rate'], ownCredential: isOwnCredential },
      ...{ hold: isHeld ? money(charge) : null, charge: money(charge), fault: money(0), variance: money(0) },
      ...{ nodeLoss: money(0), saved: money(0), ending: 'complete' },
    };
    const lease = { epoch: node.place.epoch, rootId: keyId(key), budgets, day: dayOf(this.#now) + day };
    return { settlement, lease, replay: ended === undefined ? null : this.#replayOf(ended) };
  }

  #replayOf({ projectId: project, keyDigest, bodyDigest, callId, expiresAt }: RunningClaim): ReplayRow {
    return { projectId: project, keyDigest, bodyDigest, callId, createdAt: this.#now, expiresAt, answer: null };
  }

  #pursesAt(places: readonly number[]): readonly PurseRef[] {
    return places.map(purseAt).filter(({ kind }) => kind !== 'balance' || this.#mode === 'prepaid');
  }

  #nextSeq(isOld: boolean): number {
    if (!isOld) this.#seq += 1;
    return Math.max(1, this.#seq - (isOld ? 3 : 0));
  }

  #nextCallId(at: number): CallId {
    this.#calls += 1;
    const bytes = Buffer.alloc(16);
    bytes.writeUIntBE(at, 0, 6);
    // Calls of the same moment are in no order.
    createHash('sha256').update(String(this.#calls)).digest().copy(bytes, 6, 0, 10);
    return callIdFromBytes(bytes);
  }
}

function purseAt(place: number): PurseRef {
  const { account, project, key } = ACCOUNTS[place < KINDS.length ? 0 : 1];
  const kind = KINDS[place % KINDS.length] as PurseKind;
  return { kind, id: { balance: account, key, project, account }[kind] };
}

const ALL_PURSES: readonly PurseRef[] = Array.from({ length: PURSES }, (_, place) => purseAt(place));
/** As settlements have them. */
const BITS = { key: 1, project: 2, account: 4 } as const;

function accountAt(index: number) {
  return accountId(ACCOUNTS[index as 0 | 1].account);
}

function keyOf({ kind, id }: PurseRef): string {
  return `${kind} ${id}`;
}

function identityOf(name: string) {
  return { id: `id of ${name}`, fingerprint: `disk of ${name}`, name, version: '1.2.3', settings: SETTINGS };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function money(nano: number): Money {
  return BigInt(nano) as Money;
}
