/**
 * Why the bank sets no money aside for a call. An expected outcome, so billing returns it instead of throwing; the caller
 * renders it with `refusalError`.
 */
import type { BudgetWindow } from '../core/budget.ts';
import { GatewayError } from '../core/errors.ts';
import type { AccountId } from '../core/ids.ts';
import { formatUsd, type Money, NO_MONEY, usdLiteral } from '../core/money.ts';
import { feeOf, type ServerTool } from '../core/server-tools.ts';
import { ANY } from '../core/units/units.ts';
import type { AskedUnits } from './bound.ts';
import { type Scope, windowEnd } from './spending.ts';

/** Distinguished from a `Hold` by `refused`, which is null there. */
export type Refusal = Shortfall | BeyondLedger | Unwritable;

export interface Shortfall {
  readonly refused: 'shortfall';
  readonly binding: Constraint;
  /** The least that the call can be admitted with. */
  readonly needed: Money;
}

/** Refused in every mode: charged in full, the call could take a sum of the ledger beyond 64 bits. */
export interface BeyondLedger {
  readonly refused: 'exceeds_ledger';
  readonly needed: Money;
}

/** The disk refuses rows at the moment. */
export interface Unwritable {
  readonly refused: 'ledger_unavailable';
}

/** The balance or budget that leaves the least. */
export interface Constraint {
  readonly scope: Scope | 'balance';
  /** A budget's window; null for the balance. */
  readonly window: BudgetWindow | null;
  /** What may be taken now; below zero if a budget was lowered or a balance fell. */
  readonly available: Money;
  /** The same without running calls, whichever node runs them. */
  readonly whole: Money;
  /** What other nodes have of the whole: calls of theirs may hold it. Absent if that is not how money is kept. */
  readonly elsewhere?: Money;
  /** The whole budget of a window; null for a balance. */
  readonly limit: Money | null;
}

export const UNWRITABLE: Unwritable = { refused: 'ledger_unavailable' };

export function shortfall(binding: Constraint, needed: Money): Shortfall {
  return { refused: 'shortfall', binding, needed };
}

const LEDGER_RETRY_SECONDS = 1;
/** Running calls end within moments, mostly. */
const RESERVED_RETRY_SECONDS = 2;

/**
 * `GatewayError` 402, or 503 `ledger_unavailable`. `nowMs` is wall time: the error says when a budget resets. `saving`: what makes
 * such a call cost less, as the end of a sentence. `accountId`: whose balance it is; the command would mean the oldest account without it.
 */
export function refusalError(refusal: Refusal, nowMs: number, saving: string, accountId: AccountId): GatewayError {
  switch (refusal.refused) {
    case 'shortfall':
      return shortfallError(refusal, nowMs, saving, accountId);
    case 'exceeds_ledger':
      return exceedsLedger(refusal, saving);
    case 'ledger_unavailable':
      return new GatewayError('ledger_unavailable', { retryAfterSeconds: LEDGER_RETRY_SECONDS });
  }
}

function shortfallError(
  { binding: constraint, needed }: Shortfall,
  nowMs: number,
  saving: string,
  accountId: AccountId,
): GatewayError {
  const { scope, window, available, whole, limit, elsewhere = NO_MONEY } = constraint;
  const binding = scope === 'balance' ? 'balance' : `${scope}_budget_${window}`;
  const isReserved = needed <= whole;
  // What one of several nodes can take says nothing about the account; what is left in all is the same at each.
  const left = elsewhere > 0n && !isReserved ? whole : available;
  const facts = { binding, needed: usdLiteral(needed), available: usdLiteral(left) };
  const said = { needed: formatUsd(needed), available: formatUsd(left) };
  const what = scope === 'balance' ? 'balance of this account' : `${nameOf(window)} budget of this ${scope}`;
  if (isReserved) {
    const held =
      elsewhere > 0n
        ? `is held by running calls, at this node and others: this call may cost up to $${said.needed}, and $${formatUsd(whole)} is left with what they hold`
        : `is held by running calls: this call may cost up to $${said.needed}, and $${said.available} is available`;
    return new GatewayError('balance_reserved', {
      message: `The ${what} ${held}. Try again when they have finished, or ${saving}.`,
      retryAfterSeconds: RESERVED_RETRY_SECONDS,
      facts,
    });
  }
  if (scope === 'balance') {
    return new GatewayError('insufficient_balance', {
      message: `The balance of this account is too low: this call may cost up to $${said.needed}, and $${said.available} is left. ${sentence(saving)}, or ask the operator to add credit: turnpike balance add <usd> --account ${accountId}.`,
      facts,
    });
  }
  if (limit !== null && needed > limit) return beyondBudget(what, limit, needed, facts, saving);
  const endsAt = window === null ? null : windowEnd(window, nowMs);
  const renewal = endsAt === null ? 'It does not reset.' : `It resets at ${new Date(endsAt).toISOString()}.`;
  const state =
    left > 0n
      ? `leaves $${said.available}, and this call may cost up to $${said.needed}`
      : `${whole > 0n ? 'is used up or held by running calls' : 'is used up'}: this call may cost up to $${said.needed}, and $${said.available} is left`;
  return new GatewayError('budget_exceeded', {
    message: `The ${what} ${state}. ${renewal}`,
    ...(endsAt === null ? {} : { retryAfterSeconds: Math.max(1, Math.ceil((endsAt - nowMs) / 1000)) }),
    facts: { ...facts, resets_at: endsAt === null ? null : new Date(endsAt).toISOString() },
  });
}

/** Waiting does not help, so the time of the reset is left out. */
function beyondBudget(
  what: string,
  limit: Money,
  needed: Money,
  facts: Readonly<Record<string, unknown>>,
  saving: string,
): GatewayError {
  return new GatewayError('budget_exceeded', {
    message: `This call may cost up to $${formatUsd(needed)}, more than the whole ${what}, $${formatUsd(limit)}. ${sentence(saving)}, or have the budget raised.`,
    facts: { ...facts, resets_at: null },
  });
}

function exceedsLedger({ needed }: BeyondLedger, saving: string): GatewayError {
  return new GatewayError('insufficient_balance', {
    message: `This call may cost up to $${formatUsd(needed)}, more than an account can owe. ${sentence(saving)}, or ask the operator to check the model's price.`,
    facts: { binding: 'balance', needed: usdLiteral(needed) },
  });
}

/**
 * `GatewayError` 400 for paid provider tools without a limit, which cannot be held for. `limit`: how the caller's format limits the uses of
 * tools, as the beginning of a sentence; null if it cannot.
 */
export function unlimitedUseError(field: string, limit: string | null): GatewayError {
  const isTool = field === 'tools';
  return new GatewayError('unsupported_value', {
    message: isTool
      ? 'A tool that the provider runs may be used any number of times, so the cost of this call has no limit and cannot be paid from a balance. ' +
        (limit === null ? 'Leave the tool out.' : `${limit}, or leave the tool out.`)
      : `"${field}" makes the provider search the web for a fee that has no price here, so this call cannot be paid from a balance. Leave it out.`,
    param: field,
  });
}

/** `GatewayError` 400 for paid provider tools with a limit that no provider promises to keep. */
export function ignoredLimitError(): GatewayError {
  return new GatewayError('unsupported_value', {
    message:
      'No provider of this model promises that "max_tool_calls" limits how often it runs a tool, so the cost of this call has no limit ' +
      'and cannot be paid from a balance. Leave the tool out, or use another model.',
    param: 'tools',
  });
}

/** `GatewayError` 400 for a tool whose fee is not known here; `tool` is null if several targets each lack another one. */
export function unpricedToolError(tool: ServerTool | null): GatewayError {
  const line = tool === null ? null : feeOf(tool);
  const remedy =
    tool === 'web_search_preview'
      ? 'Use web_search instead, or leave the tool out.'
      : line === 'unknown'
        ? 'Leave the tool out.'
        : `Leave the tool out, or ask the operator to set ${line ?? 'the fees of tools'} in the prices of this model in turnpike.yaml.`;
  return new GatewayError('unsupported_value', {
    message: `A tool that the provider runs has no price, so this call cannot be paid from a balance${tool === null || tool === 'other' ? '' : `: ${tool}`}. ${remedy}`,
    param: 'tools',
  });
}

/** No provider of the model has a price for what the call is charged for: the units that it asks for, or tokens if it asks for none. */
export function unitNotPricedError(model: string, units: AskedUnits | undefined, provider: string): GatewayError {
  const what = units === undefined ? 'tokens' : pricedName(units);
  const remedy =
    units === undefined
      ? 'Use it for what it is made for; the operator can set `input` and `output` in its prices.'
      : `The operator can set \`units: { ${what}: … }\` in its prices at ${provider}, in turnpike.yaml, in the dashboard or with ` +
        `\`turnpike providers update ${provider} --models … --price ${priceFlag(units)}\`.`;
  return new GatewayError('model_not_priced', {
    message: `${model} has no price for ${what}, and billing is prepaid. ${remedy}`,
    param: 'model',
  });
}

/** What a command takes as the price of a model: of the unit that the call asks for, or of tokens. */
export function priceFlag(units: AskedUnits | undefined): string {
  return units === undefined ? '<in>/<out>' : `${pricedName(units)}=<usd>`;
}

/** Up to what the request leaves open: a price of that counts for each class. */
function pricedName({ name }: AskedUnits): string {
  return name.split(`/${ANY}`)[0] as string;
}

/** As the beginning of one. */
function sentence(end: string): string {
  return `${end.charAt(0).toUpperCase()}${end.slice(1)}`;
}

function nameOf(window: BudgetWindow | null): string {
  return window === 'day' ? 'daily' : window === 'week' ? 'weekly' : window === 'month' ? 'monthly' : 'total';
}
