/**
 * How long a provider's connection may stay after its call has ended, in tests that share the cores with others: a connection that
 * is forgotten stays until its provider's time limit, which is far longer. `npm run prove -- aborts` judges the 100 ms that are promised.
 */
export const CLOSED_SOON_MS = 5_000;
