/** Names, references and notes in requests: plain text of a bounded length. */
import * as z from 'zod';
import { isPlainText, NAME_LENGTH_MAX } from '../../../accounts/plain-text.ts';

const NOT_PLAIN = 'it holds a control character, or one that turns the direction of writing';

/** The name of an account, a project or a key; surrounding space is removed. */
export const nameInput = z.string().trim().min(1).max(NAME_LENGTH_MAX).refine(isPlainText, NOT_PLAIN);

/** Text of at most `lengthMax` characters (UTF-16 code units), which may be empty. */
export function plainInput(lengthMax: number) {
  return z.string().max(lengthMax).refine(isPlainText, NOT_PLAIN);
}
