/** Whether an error that a provider reports inside a stream may be passed unchanged to a caller of the same format. */
import type { ErrorCode } from '../../../core/errors.ts';
import type { UpstreamError } from '../../interface/upstream-error.ts';
import { namesOperator } from './names-operator.ts';
import { isFullyQuotable } from './quotable-text.ts';

/**
 * What may be relayed as a refusal may be relayed here. So may the provider's own failures, if each of their sentences may be quoted in
 * full. `said` is the error as JSON, as passed to `readError`, or text that is not JSON; it nests no deeper than a request may.
 */
export function isSafeError({ code, relayable }: UpstreamError, said: unknown): boolean {
  if (relayable) return true;
  return !OPERATORS.has(code) && !namesOperator(JSON.stringify(said)) && isEveryTextQuotable(said);
}

/** They are about the operator's account, and about a name in the catalogue that the caller never sent. */
const OPERATORS: ReadonlySet<ErrorCode> = new Set(['upstream_credential_rejected', 'model_not_found']);

/** Checks sentences, not ids and codes. */
function isEveryTextQuotable(value: unknown): boolean {
  if (typeof value === 'string')
    return value.length <= TEXT_LENGTH_MAX && (!/\s/.test(value) || isFullyQuotable(value));
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isEveryTextQuotable);
}

/** Longer text is not a sentence. */
const TEXT_LENGTH_MAX = 2000;
