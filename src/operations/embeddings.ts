/**
 * Turns texts into vectors. There is no output to pay for: the hold is for the prompt, and so is the settlement, by the provider's count or, if
 * it reports none, by the usual estimate of a prompt.
 *
 * https://platform.openai.com/docs/api-reference/embeddings, https://ai.google.dev/api/embeddings
 */
import { partOperation } from './part-of.ts';

export const embeddings = partOperation('embeddings', {
  priceLines: ['input', 'request'],
  saving: 'send fewer or shorter texts',
});
