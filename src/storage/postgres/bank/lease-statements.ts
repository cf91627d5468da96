/** The statements about shares: several requests of a node in one. */
import { BUDGET_WINDOWS, type BudgetWindow } from '../../../core/budget.ts';
import { nanoUsd } from '../../../core/money.ts';
import type { LeaseAnswer, NodePlace, Returned, Share, Want } from '../../../nodes/ports.ts';
import type { Statement } from '../engine/connections.ts';
import { inHistory } from '../ledger/history.ts';
import type { PurseRequest } from './gathered-requests.ts';
import { purseCodes } from './purse-codes.ts';

export interface LeaseRequest extends PurseRequest {
  readonly items: readonly Want[];
  /** All of its wants are lent, or none. */
  readonly isTogether: boolean;
}

export interface ReturnRequest extends PurseRequest {
  readonly items: readonly Returned[];
}

export interface ShareRow {
  readonly granted: bigint;
  readonly free: bigint;
  readonly elsewhere: bigint;
  readonly span: BudgetWindow | null;
  readonly today: number;
}

export interface ReturnRow {
  readonly is_removed: boolean;
}

/** Of requests of one place, without a purse twice. */
export function leaseStatement(
  { slot, epoch, history }: NodePlace,
  isPrepaid: boolean,
  requests: readonly LeaseRequest[],
): Statement {
  const wants = requests.flatMap(({ items }) => items);
  const values = [
    slot,
    epoch,
    isPrepaid,
    groupsOf(requests),
    ...pursesOf(wants),
    wants.map(({ seq }) => seq),
    wants.map(({ shortfall }) => atMost(LIMIT_MAX, shortfall)),
    wants.map(({ wish }) => atMost(WISH_MAX, wish)),
    ...BUDGET_WINDOWS.map((window) => wants.map(({ budgets }) => limitOf(budgets?.[window]))),
    history ?? null,
  ];
  return { text: LEASE, values };
}

/** An answer per request. */
export function readShares(rows: readonly ShareRow[], requests: readonly LeaseRequest[]): readonly LeaseAnswer[] {
  const day = rows[0]?.today;
  if (day === undefined) return requests.map(() => ({ isOver: true }));
  return partsOf(rows.map(readShare), requests).map((shares) => ({ isOver: false, shares, day }));
}

/** Of requests of one place, without a purse twice. */
export function returnStatement(
  { slot, epoch, history }: NodePlace,
  isPrepaid: boolean,
  requests: readonly ReturnRequest[],
): Statement {
  const returned = requests.flatMap(({ items }) => items);
  const values = [
    slot,
    epoch,
    isPrepaid,
    ...pursesOf(returned),
    returned.map(({ seq }) => seq),
    returned.map(({ keeps }) => keeps),
    returned.map(({ isLast }) => isLast),
    history ?? null,
  ];
  return { text: GIVE_BACK, values };
}

/** Whether each lease is gone, per request. */
export function readReturns(
  rows: readonly ReturnRow[],
  requests: readonly ReturnRequest[],
): readonly (readonly boolean[])[] {
  // Nothing is lent any more if the epoch is over.
  if (rows.length === 0) return requests.map(({ items }) => items.map(() => true));
  const removed = rows.map(({ is_removed }) => is_removed);
  return partsOf(removed, requests);
}

/** The most that sums of 64 bits hold, nano-USD. A larger budget limits nothing, and nobody can be lent more. */
const LIMIT_MAX = 9_200_000_000_000_000_000n;
/** The most that a balance may be; added to what is lent already, it does not exceed 64 bits either. */
const WISH_MAX = 4_000_000_000_000_000_000n;

function atMost(most: bigint, amount: bigint): bigint {
  return amount < most ? amount : most;
}

function limitOf(limit: bigint | undefined): bigint | null {
  return limit === undefined ? null : atMost(LIMIT_MAX, limit);
}

const LEASE = `${inHistory('$14')}
  select granted, free, elsewhere, span, today from found cross join lateral turnpike_lease_3(
  case when found.history is not null then $1::smallint end, $2::bigint, $3::boolean, $4::integer[],
  $5::smallint[], $6::integer[], $7::bigint[], $8::bigint[], $9::bigint[],
  $10::bigint[], $11::bigint[], $12::bigint[], $13::bigint[])`;

const GIVE_BACK = `${inHistory('$9')}
  select is_removed from found cross join lateral turnpike_give_back_1(
  case when found.history is not null then $1::smallint end, $2::bigint, $3::boolean,
  $4::smallint[], $5::integer[], $6::bigint[], $7::bigint[], $8::boolean[])`;

function readShare({ granted, free, elsewhere, span }: ShareRow): Share {
  return { granted: nanoUsd(granted), free: nanoUsd(free), elsewhere: nanoUsd(elsewhere), window: span };
}

function pursesOf(items: readonly Pick<Want, 'purse'>[]): [kinds: number[], ids: number[]] {
  return [items.map(({ purse }) => purseCodes[purse.kind]), items.map(({ purse }) => purse.id)];
}

/** A number per want: the same for those that are lent together or not at all. */
function groupsOf(requests: readonly LeaseRequest[]): number[] {
  const groups: number[] = [];
  for (const { items, isTogether } of requests) {
    const first = groups.length;
    for (const index of items.keys()) groups.push(isTogether ? first : first + index);
  }
  return groups;
}

/** What each request gets of what all got together. */
function partsOf<Value>(all: readonly Value[], requests: readonly PurseRequest[]): readonly (readonly Value[])[] {
  let from = 0;
  return requests.map(({ items }) => {
    const part = all.slice(from, from + items.length);
    from += items.length;
    return part;
  });
}
