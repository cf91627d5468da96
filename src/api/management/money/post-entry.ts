/** Posts entries to the ledger, once per reference: credits, adjustments and refunds. */
import type { Bank } from '../../../billing/bank.ts';
import type { PostedEntry } from '../../../billing/entry.ts';
import { entryRefusalError } from '../../../billing/entry-refusal-error.ts';
import type { LedgerMaintenance } from '../../../billing/maintenance-ports.ts';
import type { LedgerStore, NotePosted } from '../../../billing/ports.ts';
import { dayOf, dayStart, nextMonthOf } from '../../../core/calendar.ts';
import type { Clock } from '../../../core/clock.ts';
import { GatewayError } from '../../../core/errors.ts';
import { type AccountId, type CallId, callIdTime, generationId, parseCallId } from '../../../core/ids.ts';
import { type Money, usdLiteral } from '../../../core/money.ts';
import type { AuditChange } from '../keys/key-changes.ts';

export interface RefundRequest {
  readonly call: string;
  /** Null refunds the rest of the charge. */
  readonly amount: Money | null;
  readonly reference: string;
  readonly note: string | null;
}

/**
 * Refunds a call of the account `only`. Throws `GatewayError`: `not_found`, also for a call of another account; `conflict` for a call of a
 * sealed month, a fully refunded one, or a reference that belongs to another entry.
 */
export async function postRefund(
  services: PostingServices,
  request: RefundRequest,
  only: AccountId,
  note: NotePosted,
): Promise<Posted> {
  const { callId, ...charged } = await chargedCall(services, request.call);
  if (charged.accountId !== only) throw await unknownCall(services, callId);
  const left = (charged.charge - charged.refunded) as Money;
  const { reference: sent } = request;
  // A retry without an amount gets the posted one, because nothing is left of the charge.
  const known = await services.ledger.entry(charged.accountId, sent);
  const amount = request.amount ?? (known?.callId === callId ? known.amount : left);
  if (amount === 0n)
    throw new GatewayError('conflict', { message: 'This charge has been fully refunded already.', param: 'call' });
  const asked = { kind: 'refund', amount, callId, reference: sent, note: request.note } as const;
  return postEntry(services, charged.accountId, asked, note);
}

/** What a call was charged, `gen-…`. Throws `GatewayError`: `not_found`; `conflict` for a call of a sealed month. */
export async function chargedCall(services: Pick<PostingServices, 'ledger'>, call: string) {
  const callId = parseCallId(call);
  if (callId === null) throw new GatewayError('invalid_value', { message: 'call is not a call id.', param: 'call' });
  const charged = await services.ledger.chargeOf(callId);
  if (charged === null) throw await unknownCall(services, callId);
  return { callId, ...charged };
}

type Asked = Pick<PostedEntry, 'kind' | 'amount' | 'callId' | 'reference' | 'note'>;

export interface PostingServices {
  readonly bank: Pick<Bank, 'mode' | 'money' | 'post'>;
  readonly ledger: Pick<LedgerStore, 'entry' | 'chargeOf' | 'sealedThrough'>;
  readonly maintenance: Pick<LedgerMaintenance, 'isArchivedReference'>;
  readonly clock: Pick<Clock, 'now'>;
}

export interface Posted {
  readonly entry: PostedEntry;
  readonly isNew: boolean;
}

/**
 * Posts an entry once per reference. `note` is called for a new one in its transaction. Throws `GatewayError` `conflict` if the reference
 * belongs to another entry.
 */
export async function postEntry(
  services: PostingServices,
  accountId: AccountId,
  asked: Asked,
  note: NotePosted,
): Promise<Posted> {
  const { bank, ledger, maintenance, clock } = services;
  const sealed = await ledger.sealedThrough();
  // The ledger recognises its own references, but not those that were moved to an archive.
  if (sealed !== null && (await maintenance.isArchivedReference(accountId, asked.reference)))
    throw new GatewayError('conflict', {
      message: `The reference "${asked.reference}" belongs to an entry of a sealed month; nothing was changed.`,
      param: 'reference',
    });
  // Even if the clock was set back into a sealed month: the next one could not be sealed.
  const entry = { ...asked, accountId, at: Math.max(clock.now(), sealed === null ? 0 : endOf(sealed)) };
  const answer = await bank.post(entry, async (posted) => {
    // A month sealed since then has not been searched for the reference.
    if ((await ledger.sealedThrough()) !== sealed)
      throw new GatewayError('conflict', {
        message: 'A month was sealed in the meantime, so nothing was changed; try again.',
      });
    await note(posted);
  });
  if (answer.refused !== null) throw entryRefusalError(answer.refused, entry);
  return answer;
}

/** The end of a month, `2026-11`; ms. */
function endOf(month: string): number {
  return dayStart(nextMonthOf(dayOf(Date.parse(`${month}-01`))));
}

/** The audit entry of a new entry. */
export function entryPosted(entry: PostedEntry): AuditChange {
  const { id, kind, amount, callId, reference: sent, note: text } = entry;
  return {
    action: kind === 'refund' ? 'balance.refund' : 'balance.add',
    subject: { kind: 'entry', id: String(id), name: sent },
    before: null,
    after: { kind, amount: usdLiteral(amount), call: callId === null ? null : generationId(callId), note: text },
  };
}

async function unknownCall({ ledger }: Pick<PostingServices, 'ledger'>, callId: CallId): Promise<GatewayError> {
  const month = new Date(callIdTime(callId)).toISOString().slice(0, 7);
  const sealedThrough = await ledger.sealedThrough();
  if (sealedThrough !== null && month <= sealedThrough)
    return new GatewayError('conflict', {
      message: `${generationId(callId)} is in the sealed month ${month}, so it cannot be refunded. Post an adjustment instead.`,
      param: 'call',
    });
  return new GatewayError('not_found', { message: 'The call does not exist.', param: 'call' });
}
