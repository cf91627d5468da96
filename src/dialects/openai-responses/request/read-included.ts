/** What a caller wants to see in the answer besides what it always has: https://platform.openai.com/docs/api-reference/responses/create */
import { addWarning } from '../../../chat/warnings.ts';
import { readListOrEmpty, readText } from '../../kit/request/request-values.ts';
import { quoted } from './unknown-fields.ts';

export const PROBABILITIES_LEFT_OUT = 'log probabilities cannot be passed on by this provider and were left out';

/** Warns of everything but thoughts, which a translated answer always has. Throws `GatewayError` 400 for what is no list of words. */
export function warnOfIncluded(include: unknown, warnings: Set<string>): void {
  readListOrEmpty(include, 'include').forEach((value, index) => {
    const word = readText(value, `include[${index}]`);
    if (word === PROBABILITIES) warnings.add(PROBABILITIES_LEFT_OUT);
    else if (word !== THOUGHTS)
      addWarning(warnings, `include ${quoted(word)} cannot be passed on to this provider and was left out`);
  });
}

const THOUGHTS = 'reasoning.encrypted_content';
const PROBABILITIES = 'message.output_text.logprobs';
