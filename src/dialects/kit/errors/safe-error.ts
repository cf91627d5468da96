/** Whether an error that a provider reports inside a stream may go to a caller of the same format as it came. */
import type { ErrorCode } from '../../../core/errors.ts';
import type { UpstreamError } from '../../interface/upstream-error.ts';
import { namesOperator } from './names-operator.ts';
import { isFullyQuotable } from './quotable-text.ts';

/**
 * What may be relayed as a refusal may be relayed here. So may the provider's own trouble, where each of its sentences could be told
 * whole. `said` is the error as JSON, which `readError` understood so, or a text that is none; it nests no deeper than a request may.
 */
export function isSafeError({ code, relayable }: UpstreamError, said: unknown): boolean {
  if (relayable) return true;
  return !OPERATORS.has(code) && !namesOperator(JSON.stringify(said)) && isEveryTextQuotable(said);
}

/** The operator's account, and a name of the catalogue's that the caller never wrote. */
const OPERATORS: ReadonlySet<ErrorCode> = new Set(['upstream_credential_rejected', 'model_not_found']);

/** Of words, not of ids and codes. */
function isEveryTextQuotable(value: unknown): boolean {
  if (typeof value === 'string')
    return value.length <= TEXT_LENGTH_MAX && (!/\s/.test(value) || isFullyQuotable(value));
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isEveryTextQuotable);
}

/** A longer one is no sentence. */
const TEXT_LENGTH_MAX = 2000;
