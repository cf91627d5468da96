/** The warnings for reasoning that is left out: of a request's earlier turns, or of an answer. */
import { addWarning } from '../../../chat/warnings.ts';
import type { WriteContext } from '../../interface/stream-writer.ts';

/** Of earlier turns: another vendor signed or encrypted it, and only that vendor can read it. */
export const FOREIGN_THOUGHTS = 'reasoning from other providers was left out of earlier turns';
/** Of earlier turns: the provider's API has no field for it (`reasoningBack: none`). */
export const NOT_TAKEN_BACK = 'reasoning was left out of earlier turns, since this provider does not accept it';

const UNASKED = 'reasoning was left out of the answer, because it was not requested';

/** Reports that a thought of an answer is not shown, unless the caller asked to hide thoughts. */
export function addHiddenThought({ showsReasoning, hidesReasoning, warnings }: WriteContext): void {
  if (!showsReasoning && hidesReasoning !== true) addWarning(warnings, UNASKED);
}
