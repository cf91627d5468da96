/** Warns of fields of a request that are not read. */
import { warnOfLeftOut } from '../../kit/request/left-out-fields.ts';

export const warnOfUnknown = warnOfLeftOut;

/** A word of the request, quoted if it is plain: warnings are sent in a header. */
export function quoted(word: string): string {
  return PLAIN_WORD.test(word) ? `"${word}"` : 'of an unknown type';
}

const PLAIN_WORD = /^[\w.:-]{1,64}$/;
