/** What is told where thoughts of a model are left out: of a request's earlier turns, or of an answer. */
import { addWarning } from '../../../chat/warnings.ts';
import type { WriteContext } from '../../interface/stream-writer.ts';

/** Of earlier turns: who signed or sealed them is somebody else, and would be the only one to read them. */
export const FOREIGN_THOUGHTS = 'reasoning that is not from this provider was left out of earlier turns';
/** Of earlier turns: the provider's interface has no place for them (`reasoningBack: none`). */
export const NOT_TAKEN_BACK = 'reasoning was left out of earlier turns, since this provider takes none back';

const UNASKED = 'reasoning was left out of the answer, since none was asked for';

/** A thought of an answer is not shown: told, unless the caller asked for thoughts to be hidden. */
export function addHiddenThought({ showsReasoning, hidesReasoning, warnings }: WriteContext): void {
  if (!showsReasoning && hidesReasoning !== true) addWarning(warnings, UNASKED);
}
