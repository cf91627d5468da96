/** Balances on the control plane: shown, added to, given back; each entry once, by its reference. */
import * as z from 'zod';
import type { Account } from '../accounts/ports.ts';
import type { PostedEntry } from '../billing/entry.ts';
import { entryId, generationId } from '../core/ids.ts';
import { usdLiteral } from '../core/money.ts';
import { plainInput } from './contract/text-input.ts';
import { usd } from './contract/usd-input.ts';
import { findNamedOrFirst } from './management/accounts/find-scope.ts';
import { chargedCall, entryPosted, type Posted, postEntry, postRefund } from './management/money/post-entry.ts';
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
  return tell(services, await postRefund(services, request, (await chargedCall(services, request.call)).accountId));
}

/** Newest first; `before` goes on behind an entry. */
export async function listEntries(services: Services, query: unknown) {
  const request = parseInput(entriesQuery, query);
  const found = findNamedOrFirst(services.scopes.accounts(), request.account, 'account');
  const before = request.before === null ? null : entryId(request.before);
  const entries = await services.ledger.entries(found.id, { before, limit: request.limit });
  return { data: entries.map(describeEntry) };
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
