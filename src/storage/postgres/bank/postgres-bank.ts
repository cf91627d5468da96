/** The bank in PostgreSQL: each method is one statement, the call of a function whose text is below `functions/`. */
import { BUDGET_WINDOWS, type BudgetWindow } from '../../../core/budget.ts';
import { dayOf } from '../../../core/calendar.ts';
import type { Clock } from '../../../core/clock.ts';
import { type AccountId, type CallId, callIdFromBytes } from '../../../core/ids.ts';
import { type Money, nanoUsd } from '../../../core/money.ts';
import type {
  BillingMode,
  KnownNode,
  LeaseAnswer,
  MoneyView,
  NodeBank,
  NodeIdentity,
  NodePlace,
  Pulse,
  PulseRequest,
  Registration,
  Returned,
  SentBatch,
  SettleAnswer,
  VisitorBank,
  Want,
} from '../../../nodes/ports.ts';
import type { PostgresConnections } from '../engine/connections.ts';
import { HISTORY, inHistory } from '../ledger/history.ts';
import { Listener } from './listener.ts';
import { NODES, readNode, readPulse, type StoredNode, type StoredPulse } from './node-rows.ts';
import { PostgresMoney } from './postgres-money.ts';
import { purseCodes } from './purse-codes.ts';
import { type SettledRow, settleStatement } from './settle-statement.ts';

export interface PostgresBankParts {
  readonly connections: Pick<PostgresConnections, 'control' | 'leases' | 'settlements' | 'pulse' | 'listen' | 'renew'>;
  readonly clock: Pick<Clock, 'after' | 'now'>;
  /** Balances end at zero if they are paid in advance. */
  readonly mode: BillingMode;
}

export class PostgresBank implements NodeBank, VisitorBank {
  readonly money: MoneyView;
  readonly #connections: PostgresBankParts['connections'];
  readonly #clock: Pick<Clock, 'after' | 'now'>;
  /** The UTC day on which partitions were made last. */
  #monthsMadeOn = 0;
  readonly #isPrepaid: boolean;

  constructor({ connections, clock, mode }: PostgresBankParts) {
    this.#connections = connections;
    this.#clock = clock;
    this.#isPrepaid = mode === 'prepaid';
    this.money = new PostgresMoney(connections.control, mode !== 'off');
  }

  async register({ id, fingerprint, name, version }: NodeIdentity): Promise<Registration> {
    const [row] = await this.#rows<RegistrationRow>('control', REGISTER, [id, fingerprint, name, version]);
    const { refused_name, slot, epoch, carried_epoch, history } = row as RegistrationRow;
    if (refused_name !== null) return { refused: 'id_in_use', name: refused_name };
    // As a rule a month in which calls are settled has its partition before.
    await this.makeMonths();
    return {
      refused: null,
      place: { slot: slot as number, epoch: Number(epoch), history },
      carriedEpoch: carried_epoch === null ? null : Number(carried_epoch),
    };
  }

  async pulse({ slot, epoch, history }: NodePlace, request: PulseRequest): Promise<Pulse> {
    const [row] = await this.#rows<StoredPulse>('pulse', PULSE, [
      slot,
      epoch,
      request.feedSeq,
      request.unsentFrom,
      request.isDraining,
    ]);
    const stored = row as StoredPulse;
    if (history !== undefined && stored.history !== history) this.#connections.renew();
    return readPulse(stored, history ?? null);
  }

  async listen(wake: () => void): Promise<() => Promise<void>> {
    const listener = new Listener(this.#connections.listen, this.#clock, wake);
    await listener.start();
    return async () => listener.stop();
  }

  async lease({ slot, epoch, history }: NodePlace, wants: readonly Want[], isTogether: boolean): Promise<LeaseAnswer> {
    const limits = BUDGET_WINDOWS.map((window) => wants.map(({ budgets }) => budgets?.[window] ?? null));
    const rows = await this.#rows<ShareRow>('leases', LEASE, [
      slot,
      epoch,
      this.#isPrepaid,
      isTogether,
      ...pursesOf(wants),
      wants.map(({ seq }) => seq),
      wants.map(({ shortfall }) => shortfall),
      wants.map(({ wish }) => wish),
      ...limits,
      history ?? null,
    ]);
    const day = rows[0]?.today;
    if (day === undefined) {
      // The place is over, or is another server's.
      this.#connections.renew();
      return { isOver: true };
    }
    const shares = rows.map(({ granted, free, elsewhere, span }) => ({
      granted: nanoUsd(granted),
      free: nanoUsd(free),
      elsewhere: nanoUsd(elsewhere),
      window: span,
    }));
    return { isOver: false, shares, day };
  }

  async giveBack({ slot, epoch, history }: NodePlace, returned: readonly Returned[]): Promise<readonly boolean[]> {
    const rows = await this.#rows<{ is_removed: boolean }>('leases', GIVE_BACK, [
      slot,
      epoch,
      this.#isPrepaid,
      ...pursesOf(returned),
      returned.map(({ seq }) => seq),
      returned.map(({ keeps }) => keeps),
      returned.map(({ isLast }) => isLast),
      history ?? null,
    ]);
    // Nothing is lent any more if the epoch is over.
    return rows.length === 0 ? returned.map(() => true) : rows.map(({ is_removed }) => is_removed);
  }

  async settle({ slot, history }: NodePlace, { epoch, encoded }: SentBatch): Promise<SettleAnswer> {
    const statement = settleStatement({ slot, epoch, history: history ?? null, isPrepaid: this.#isPrepaid, encoded });
    if (statement === null) return { conflicts: [], late: null };
    const { rows } = await this.#connections.settlements.query<SettledRow>(statement);
    const [row] = rows;
    if (row === undefined) {
      this.#connections.renew();
      throw new Error('The database has another history than the one in which this node has its place.');
    }
    const { conflicts, late_calls: calls, late_loss: loss, is_fault: isFault } = row;
    const fault = isFault ? ({ isFault } as const) : {};
    const late = calls === null || calls === 0 ? null : { calls, loss: nanoUsd(loss ?? 0n), ...fault };
    return { conflicts: conflicts === null ? [] : (JSON.parse(conflicts) as string[]).map(readCallId), late };
  }

  async closeLeases({ slot, epoch }: NodePlace): Promise<void> {
    await this.#rows('control', 'select turnpike_close_leases_1($1::smallint, $2::bigint)', [slot, epoch]);
  }

  async leave({ slot, epoch }: NodePlace): Promise<void> {
    await this.#rows('control', 'select turnpike_leave_1($1::smallint, $2::bigint)', [slot, epoch]);
  }

  async reap({ slot, epoch }: NodePlace, lostAfterMs: number): Promise<readonly number[]> {
    const [row] = await this.#rows<{ slots: string }>(
      'control',
      'select to_json(turnpike_reap_1($1::smallint, $2::bigint, $3::bigint))::text as slots',
      [slot, epoch, lostAfterMs],
    );
    if (dayOf(this.#clock.now()) !== this.#monthsMadeOn) await this.makeMonths();
    return JSON.parse(row?.slots ?? '[]') as number[];
  }

  async nodes(): Promise<readonly KnownNode[]> {
    return (await this.#rows<StoredNode>('control', NODES, [])).map(readNode);
  }

  async now(): Promise<number> {
    const [row] = await this.#rows<{ now: bigint }>('control', 'select turnpike_now() as now', []);
    return Number(row?.now);
  }

  async recall(accountId: AccountId): Promise<{ readonly free: Money; readonly lent: Money }> {
    const [row] = await this.#rows<{ free: bigint; lent: bigint }>('control', RECALL, [accountId]);
    return { free: nanoUsd(row?.free ?? 0n), lent: nanoUsd(row?.lent ?? 0n) };
  }

  /**
   * Makes the partitions of settlements for this month and the next two. When a node registers, and daily with `reap`; again with the next
   * `reap` if that is not possible now, because somebody else does so, or reads for long.
   */
  async makeMonths(): Promise<void> {
    const [row] = await this.#rows<{ made: boolean }>('control', 'select turnpike_make_months_1(2) as made', []);
    if (row?.made === true) this.#monthsMadeOn = dayOf(this.#clock.now());
  }

  async #rows<Row extends object>(
    role: 'control' | 'leases' | 'pulse',
    text: string,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    return (await this.#connections[role].query<Row>(text, values)).rows;
  }
}

interface RegistrationRow {
  readonly refused_name: string | null;
  readonly slot: number | null;
  readonly epoch: bigint | null;
  readonly carried_epoch: bigint | null;
  readonly history: string;
}

interface ShareRow {
  readonly granted: bigint;
  readonly free: bigint;
  readonly elsewhere: bigint;
  readonly span: BudgetWindow | null;
  readonly today: number;
}

const REGISTER = `select refused_name, slot, epoch, carried_epoch, (${HISTORY})
  from turnpike_register_1($1, $2, $3, $4)`;

const PULSE = `select (${HISTORY}), is_mine, now, live_nodes, last_seq, missed, to_json(seqs)::text as seqs, to_json(ats)::text as ats,
  to_json(topics)::text as topics, to_json(ids)::text as ids, to_json(recalled_kinds)::text as recalled_kinds,
  to_json(recalled_ids)::text as recalled_ids
  from turnpike_pulse_1($1::smallint, $2::bigint, $3::bigint, $4::bigint, $5::boolean)`;

const LEASE = `${inHistory('$14')}
  select granted, free, elsewhere, span, today from found cross join lateral turnpike_lease_1(
  case when found.history is not null then $1::smallint end, $2::bigint, $3::boolean, $4::boolean,
  $5::smallint[], $6::integer[], $7::bigint[], $8::bigint[], $9::bigint[],
  $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[])`;

const GIVE_BACK = `${inHistory('$9')}
  select is_removed from found cross join lateral turnpike_give_back_1(
  case when found.history is not null then $1::smallint end, $2::bigint, $3::boolean,
  $4::smallint[], $5::integer[], $6::bigint[], $7::bigint[], $8::boolean[])`;

/** No node has slot 0, so each of them takes it for another's wish. */
const RECALL = `with lent as (
    select coalesce(sum(granted_nano - spent_nano), 0)::bigint as nano from leases where kind = 0 and id = $1::integer
  ), asked as (
    insert into recalls as r (kind, id, at, slot) select 0, $1::integer, turnpike_now(), 0 from lent where nano > 0
    on conflict (kind, id) do update set at = excluded.at, slot = excluded.slot returning 1
  ), notified as (select pg_notify('turnpike', 'recall') from asked)
  select coalesce((select free_nano from funds where account_id = $1::integer), 0)::bigint as free, lent.nano as lent,
    (select count(*) from notified) as notified from lent`;

function pursesOf(requests: readonly Pick<Want, 'purse'>[]): [kinds: number[], ids: number[]] {
  return [requests.map(({ purse }) => purseCodes[purse.kind]), requests.map(({ purse }) => purse.id)];
}

function readCallId(hexadecimal: string): CallId {
  return callIdFromBytes(Uint8Array.fromHex(hexadecimal));
}
