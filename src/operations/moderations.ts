/**
 * Judges whether texts and images are harmful. There is no output to pay for, and at some providers nothing at all:
 * https://platform.openai.com/docs/api-reference/moderations
 */
import { partOperation } from './part-of.ts';

export const moderations = partOperation('moderations', {
  priceLines: ['input', 'request'],
  saving: 'send fewer or shorter texts (input)',
});
