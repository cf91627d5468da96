/** The bank in PostgreSQL: each method is one statement, the call of a function whose text is below `functions/`. */
import { assert } from '../../../core/assert.ts';
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
  NodeSettings,
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
import { HISTORY, LOG_POSITION, onlyInHistory } from '../ledger/history.ts';
import { GatheredRequests, type PurseRequest } from './gathered-requests.ts';
import {
  type LeaseRequest,
  leaseStatement,
  type ReturnRequest,
  type ReturnRow,
  readReturns,
  readShares,
  returnStatement,
  type ShareRow,
} from './lease-statements.ts';
import { Listener } from './listener.ts';
import { NODES, readNode, readPulse, type StoredNode, type StoredPulse } from './node-rows.ts';
import { PostgresMoney } from './postgres-money.ts';
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
  /** How far the log was at the last pulse. */
  #log: Pick<StoredPulse, 'history' | 'position'> | null = null;
  readonly #leases = new GatheredRequests<LeaseRequest, LeaseAnswer>((requests) => this.#lend(requests));
  readonly #returns = new GatheredRequests<ReturnRequest, readonly boolean[]>((requests) => this.#takeBack(requests));

  constructor({ connections, clock, mode }: PostgresBankParts) {
    this.#connections = connections;
    this.#clock = clock;
    this.#isPrepaid = mode === 'prepaid';
    this.money = new PostgresMoney(connections.control, mode !== 'off');
  }

  async register({ id, fingerprint, name, version, settings }: NodeIdentity): Promise<Registration> {
    const [row] = await this.#rows<RegistrationRow>('control', REGISTER, [
      ...[id, fingerprint, name, version],
      JSON.stringify(settings),
    ]);
    const { refused_name, refused_mode, slot, epoch, carried_epoch, history } = row as RegistrationRow;
    if (refused_name !== null && refused_mode !== null)
      return { refused: 'other_mode', name: refused_name, mode: refused_mode };
    if (refused_name !== null) return { refused: 'id_in_use', name: refused_name };
    // As a rule a month in which calls are settled has its partition before.
    await this.makeMonths();
    return {
      refused: null,
      place: { slot: slot as number, epoch: Number(epoch), history },
      carriedEpoch: carried_epoch === null ? null : Number(carried_epoch),
    };
  }

  async noteSettings({ slot, epoch }: NodePlace, settings: NodeSettings): Promise<void> {
    await this.#rows('control', 'select turnpike_note_settings_1($1::smallint, $2::bigint, $3::jsonb)::text', [
      slot,
      epoch,
      JSON.stringify(settings),
    ]);
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
    const hasGoneBack = this.#log?.history === stored.history && stored.position < this.#log.position;
    this.#log = stored;
    return readPulse(stored, history ?? null, hasGoneBack);
  }

  async listen(wake: () => void): Promise<() => Promise<void>> {
    const listener = new Listener(this.#connections.listen, this.#clock, wake);
    await listener.start();
    return async () => listener.stop();
  }

  lease(place: NodePlace, wants: readonly Want[], isTogether: boolean): Promise<LeaseAnswer> {
    return this.#leases.ask({ place, items: wants, isTogether });
  }

  giveBack(place: NodePlace, returned: readonly Returned[]): Promise<readonly boolean[]> {
    return this.#returns.ask({ place, items: returned });
  }

  async settle({ slot, history }: NodePlace, { epoch, encoded }: SentBatch): Promise<SettleAnswer> {
    const statement = settleStatement({ slot, epoch, history: history ?? null, isPrepaid: this.#isPrepaid, encoded });
    if (statement === null) return { conflicts: [], late: null };
    const { rows } = await this.#connections.settlements.query<SettledRow>(statement);
    const [row] = rows;
    if (row === undefined) this.#refuseElsewhere();
    const { conflicts, late_calls: calls, late_loss: loss, is_fault: isFault } = row;
    const fault = isFault ? ({ isFault } as const) : {};
    const late = calls === null || calls === 0 ? null : { calls, loss: nanoUsd(loss ?? 0n), ...fault };
    return { conflicts: conflicts === null ? [] : (JSON.parse(conflicts) as string[]).map(readCallId), late };
  }

  async closeLeases(place: NodePlace, runsSince?: number): Promise<void> {
    await this.#inHistory(place, CLOSE_LEASES, [runsSince ?? null]);
  }

  async leave(place: NodePlace): Promise<void> {
    await this.#inHistory(place, LEAVE, []);
  }

  async reap({ slot, epoch }: NodePlace, lostAfterMs: number): Promise<readonly number[]> {
    const [row] = await this.#rows<{ slots: string }>(
      'control',
      'select to_json(turnpike_reap_2($1::smallint, $2::bigint, $3::bigint))::text as slots',
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
    const [row] = await this.#rows<{ made: boolean }>('control', 'select turnpike_make_months_2(2) as made', []);
    if (row?.made === true) this.#monthsMadeOn = dayOf(this.#clock.now());
  }

  async #lend(requests: readonly LeaseRequest[]): Promise<readonly LeaseAnswer[]> {
    const statement = leaseStatement(placeOf(requests), this.#isPrepaid, requests);
    const { rows } = await this.#connections.leases.query<ShareRow>(statement);
    // The place is over, or is another server's.
    if (rows.length === 0) this.#connections.renew();
    return readShares(rows, requests);
  }

  async #takeBack(requests: readonly ReturnRequest[]): Promise<readonly (readonly boolean[])[]> {
    const statement = returnStatement(placeOf(requests), this.#isPrepaid, requests);
    const { rows } = await this.#connections.leases.query<ReturnRow>(statement);
    return readReturns(rows, requests);
  }

  /** Leases that a database of another history has are still needed: it may not have what was settled from them. */
  async #inHistory({ slot, epoch, history }: NodePlace, text: string, values: readonly unknown[]): Promise<void> {
    const rows = await this.#rows('control', text, [slot, epoch, history ?? null, ...values]);
    if (rows.length === 0) this.#refuseElsewhere();
  }

  #refuseElsewhere(): never {
    this.#connections.renew();
    throw new Error('The database has another history than the one in which this node has its place.');
  }

  async #rows<Row extends object>(
    role: 'control' | 'pulse',
    text: string,
    values: readonly unknown[],
  ): Promise<readonly Row[]> {
    return (await this.#connections[role].query<Row>(text, values)).rows;
  }
}

const CLOSE_LEASES = `${onlyInHistory('$3')}
  select turnpike_close_leases_2($1::smallint, $2::bigint, $4::bigint) from found`;

const LEAVE = `${onlyInHistory('$3')} select turnpike_leave_1($1::smallint, $2::bigint) from found`;

interface RegistrationRow {
  readonly refused_name: string | null;
  readonly refused_mode: string | null;
  readonly slot: number | null;
  readonly epoch: bigint | null;
  readonly carried_epoch: bigint | null;
  readonly history: string;
}

const REGISTER = `select refused_name, refused_mode, slot, epoch, carried_epoch, (${HISTORY})
  from turnpike_register_3($1, $2, $3, $4, $5::jsonb)`;

const PULSE = `select (${HISTORY}), ${LOG_POSITION} as position, is_mine, now, live_nodes, last_seq, missed, to_json(seqs)::text as seqs, to_json(ats)::text as ats,
  to_json(topics)::text as topics, to_json(ids)::text as ids, to_json(recalled_kinds)::text as recalled_kinds,
  to_json(recalled_ids)::text as recalled_ids
  from turnpike_pulse_1($1::smallint, $2::bigint, $3::bigint, $4::bigint, $5::boolean)`;

/** No node has slot 0, so each of them takes it for another's wish. */
const RECALL = `with lent as (
    select coalesce(sum(granted_nano - spent_nano), 0)::bigint as nano from leases where kind = 0 and id = $1::integer
  ), asked as (
    insert into recalls as r (kind, id, at, slot) select 0, $1::integer, turnpike_now(), 0 from lent where nano > 0
    on conflict (kind, id) do update set at = excluded.at, slot = excluded.slot returning 1
  ), notified as (select pg_notify('turnpike', 'recall') from asked)
  select coalesce((select free_nano from funds where account_id = $1::integer), 0)::bigint as free, lent.nano as lent,
    (select count(*) from notified) as notified from lent`;

function placeOf([first]: readonly PurseRequest[]): NodePlace {
  assert(first !== undefined, 'a statement has a request');
  return first.place;
}

function readCallId(hexadecimal: string): CallId {
  return callIdFromBytes(Uint8Array.fromHex(hexadecimal));
}
