/**
 * Puts documents in the order of how well they answer a query. There is no output to pay for: the hold is for what the model reads, which is the
 * query once with each document, or for searches, and so is the settlement. https://docs.cohere.com/v2/reference/rerank
 */
import { partOperation } from './part-of.ts';

export const rerank = partOperation('rerank', {
  priceLines: ['input', 'request'],
  saving: 'send fewer or shorter documents',
  unitKinds: ['search'],
});
