/**
 * A writer of requests knows only the neutral form's names of fields; a caller has to find the field in its own request. So both what is
 * refused and what is reported get the caller's names.
 */
import { GatewayError } from '../../core/errors.ts';
import type { AnyCallerDialect } from '../../dialects/index.ts';

type Names = Pick<AnyCallerDialect, 'fieldNames'>;

/** The error with the caller's name of its parameter; any other error as it is. */
export function errorForCaller(error: unknown, { fieldNames }: Names): unknown {
  if (!(error instanceof GatewayError) || error.param === null) return error;
  const param = fieldNames?.[error.param];
  return param === undefined ? error : new GatewayError(error.code, { message: error.message, param });
}

/** The warnings with the caller's names of the fields that they are about. */
export function warningsForCaller(warnings: readonly string[], { fieldNames }: Names): readonly string[] {
  if (fieldNames === undefined || warnings.length === 0) return warnings;
  return warnings.map((text) => {
    const words = text.split(' ');
    const isSubject = SAYS.has(words[1] ?? '');
    const isName = (word: string, at: number) => (at === 0 && isSubject) || word.includes('_');
    return words.map((word, at) => (isName(word, at) ? (fieldNames[word] ?? word) : word)).join(' ');
  });
}

/** What follows the name of a field at the beginning of a warning: `stop was left out`, but not `stop sequences …`. */
const SAYS: ReadonlySet<string> = new Set(['was', 'is', 'holds', 'none']);
