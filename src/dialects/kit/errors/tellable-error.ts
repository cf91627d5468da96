/** Whether an error that a provider reports inside a stream may go to a caller of the same format as it came. */
import type { ErrorCode } from '../../../core/errors.ts';
import type { UpstreamError } from '../../interface/upstream-error.ts';
import { namesOperator } from './operators-own.ts';
import { isToldWhole } from './told-words.ts';

/**
 * What may be relayed as a refusal may be relayed here. So may the provider's own trouble, where each of its sentences could be told
 * whole. `said` is the error as JSON, which `readError` understood so, or a text that is none; it nests no deeper than a request may.
 */
export function isTellable({ code, relayable }: UpstreamError, said: unknown): boolean {
  if (relayable) return true;
  return !OPERATORS.has(code) && !namesOperator(JSON.stringify(said)) && isEveryTextTold(said);
}

/** The operator's account, and a name of the catalogue's that the caller never wrote. */
const OPERATORS: ReadonlySet<ErrorCode> = new Set(['upstream_credential_rejected', 'model_not_found']);

/** Of words, not of ids and codes. */
function isEveryTextTold(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= TEXT_LENGTH_MAX && (!/\s/.test(value) || isToldWhole(value));
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isEveryTextTold);
}

/** A longer one is no sentence. */
const TEXT_LENGTH_MAX = 2000;
