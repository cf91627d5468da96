/** Balances on the control plane: shown, added to, given back; each entry once, by its reference. */
import * as z from 'zod';
import type { CheckStill } from '../accounts/one-at-a-time.ts';
import type { Account } from '../accounts/ports.ts';
import type { PostedEntry } from '../billing/entry.ts';
import { entryRefusalError } from '../billing/entry-refusal.ts';
import { GatewayError } from '../core/errors.ts';
import { type AccountId, type CallId, callIdTime, entryId, generationId, parseCallId } from '../core/ids.ts';
import { type Money, usdLiteral } from '../core/money.ts';
import { plainInput } from './contract/text-input.ts';
import { usd } from './contract/usd-input.ts';
import { findNamedOrFirst } from './management/accounts/find-scope.ts';
import type { Told } from './management/keys/key-changes.ts';
import { parseInput } from './reply-error.ts';
import type { ControlServices } from './services.ts';

type Services = Pick<ControlServices, 'scopes' | 'bank' | 'ledger' | 'books' | 'clock' | 'audit'>;

const account = z.union([z.string(), z.int()]).nullable().default(null);
const reference = plainInput(200).trim().min(1);
const note = plainInput(1000).nullable().default(null);

const balanceQuery = z.strictObject({ account });

const newEntry = z.strictObject({
  account,
  kind: z.enum(['topup', 'promo', 'adjustment']).default('topup'),
  /** USD, as decimal text. Only an adjustment may be negative. */
  amount: usd,
  reference,
  note,
});

const newRefund = z.strictObject({
  call: z.string(),
  /** Null gives back all that is left of the charge. */
  amount: usd.nullable().default(null),
  reference,
  note,
});

const entriesQuery = z.strictObject({
  account,
  before: z.coerce.number().int().min(1).nullable().default(null),
  limit: z.coerce.number().int().min(1).max(1000).default(20),
});

export async function showBalance(services: Services, query: unknown) {
  const request = parseInput(balanceQuery, query);
  const found = findNamedOrFirst(services.scopes.accounts(), request.account, 'account');
  return { data: describeBalance(services, found) };
}

export async function addEntry(services: Services, body: unknown) {
  const request = parseInput(newEntry, body ?? {});
  const found = findNamedOrFirst(services.scopes.accounts(), request.account, 'account');
  const { kind, amount } = request;
  const asked = { kind, amount, callId: null, reference: request.reference, note: request.note };
  return tell(services, await postEntry(services, found.id, asked));
}

/** Throws `GatewayError` `conflict` for a call of a sealed month. */
export async function refundCall(services: Services, body: unknown) {
  const request = parseInput(newRefund, body ?? {});
  return tell(services, await postRefund(services, request, null));
}

export interface RefundRequest {
  readonly call: string;
  /** Null gives back all that is left of the charge. */
  readonly amount: Money | null;
  readonly reference: string;
  readonly note: string | null;
}

/**
 * With `only`, a call of another account is none. Throws `GatewayError`: `not_found`; `conflict` for a call of a sealed
 * month, one of which nothing is left to give back, or a reference that stands for something else.
 */
export async function postRefund(
  services: PostingServices,
  request: RefundRequest,
  only: AccountId | null,
  checkStill?: CheckStill,
): Promise<Posted> {
  const callId = parseCallId(request.call);
  if (callId === null) throw new GatewayError('invalid_value', { message: 'call is no id of a call.', param: 'call' });
  const charged = await services.ledger.chargeOf(callId);
  if (charged === null || (only !== null && charged.accountId !== only)) throw await unknownCall(services, callId);
  const left = (charged.charge - charged.refunded) as Money;
  const { reference: sent } = request;
  // Sent again without an amount, it is the one that was posted: nothing is left of the charge then.
  const known = await services.ledger.entry(charged.accountId, sent);
  const amount = request.amount ?? (known?.callId === callId ? known.amount : left);
  if (amount === 0n)
    throw new GatewayError('conflict', { message: 'Nothing is left of this charge to give back.', param: 'call' });
  const asked = { kind: 'refund', amount, callId, reference: sent, note: request.note } as const;
  return postEntry(services, charged.accountId, asked, checkStill);
}

/** Newest first; `before` goes on behind an entry. */
export async function listEntries(services: Services, query: unknown) {
  const request = parseInput(entriesQuery, query);
  const found = findNamedOrFirst(services.scopes.accounts(), request.account, 'account');
  const before = request.before === null ? null : entryId(request.before);
  const entries = await services.ledger.entries(found.id, { before, limit: request.limit });
  return { data: entries.map(describeEntry) };
}

type Asked = Pick<PostedEntry, 'kind' | 'amount' | 'callId' | 'reference' | 'note'>;

export type PostingServices = Pick<Services, 'bank' | 'ledger' | 'books' | 'clock'>;

export interface Posted {
  readonly entry: PostedEntry;
  readonly isNew: boolean;
}

/**
 * Once per reference. `checkStill` is asked just before. Throws `GatewayError` `conflict` where the reference stands for something
 * else.
 */
export async function postEntry(
  services: PostingServices,
  accountId: AccountId,
  asked: Asked,
  checkStill?: CheckStill,
): Promise<Posted> {
  const { bank, books, clock } = services;
  // The ledger keeps apart what it has; what was moved to an archive it does not know any more.
  if (await books.isArchivedReference(accountId, asked.reference))
    throw new GatewayError('conflict', {
      message: `The reference "${asked.reference}" stands for an entry of a sealed month; nothing was changed.`,
      param: 'reference',
    });
  await checkStill?.();
  const entry = { ...asked, accountId, at: clock.now() };
  const answer = await bank.post(entry);
  if (answer.refused !== null) throw entryRefusalError(answer.refused, entry);
  return answer;
}

/** What the audit log says of it. Null for one that was posted before. */
export function entryPosted({ entry, isNew }: Posted): Told | null {
  if (!isNew) return null;
  const { id, kind, amount, callId, reference: sent, note: said } = entry;
  return {
    action: kind === 'refund' ? 'balance.refund' : 'balance.add',
    subject: { kind: 'entry', id: String(id), name: sent },
    before: null,
    after: { kind, amount: usdLiteral(amount), call: callId === null ? null : generationId(callId), note: said },
  };
}

async function tell(services: Services, posted: Posted) {
  const { entry, isNew } = posted;
  const told = entryPosted(posted);
  if (told !== null) await services.audit({ ...told, accountId: entry.accountId });
  const found = services.scopes.accounts().find((each) => each.id === entry.accountId);
  return {
    data: describeEntry(entry),
    is_new: isNew,
    balance: found === undefined ? null : describeBalance(services, found),
  };
}

async function unknownCall({ books }: Pick<Services, 'books'>, callId: CallId): Promise<GatewayError> {
  const month = new Date(callIdTime(callId)).toISOString().slice(0, 7);
  const { sealedThrough } = await books.check();
  if (sealedThrough !== null && month <= sealedThrough)
    return new GatewayError('conflict', {
      message: `${generationId(callId)} is sealed with ${month}: a call of a sealed month cannot be refunded. Correct the balance with an adjustment.`,
      param: 'call',
    });
  return new GatewayError('not_found', { message: 'There is no such call.', param: 'call' });
}

function describeBalance({ bank }: Services, { id, name }: Account) {
  const state = bank.balanceOf(id);
  return {
    account: { id, name },
    billing_mode: bank.mode,
    /** Null where no balance is kept; available and held together. */
    balance: usdLiteral(state?.balance ?? null),
    available: usdLiteral(state?.available ?? null),
    held: usdLiteral(state?.held ?? null),
    credited: usdLiteral(state?.credited ?? null),
    charged: usdLiteral(state?.charged ?? null),
  };
}

function describeEntry(entry: PostedEntry) {
  return {
    id: entry.id,
    at: new Date(entry.at).toISOString(),
    account_id: entry.accountId,
    kind: entry.kind,
    amount: usdLiteral(entry.amount),
    reference: entry.reference,
    call: entry.callId === null ? null : generationId(entry.callId),
    note: entry.note,
  };
}
