import { MOVED_FACT, MOVED_FROM_FACT } from './moved-mark.ts';

/** Facts that say something about the database they are in, and not about the ledger. */
const OF_DATABASE: ReadonlySet<string> = new Set([
  MOVED_FACT,
  MOVED_FROM_FACT,
  /** Of SQLite: whether every call has its record. */
  'records',
  /** Of PostgreSQL: which programs may use it, and with which secrets. */
  'oldest_program',
  'pepper_digest',
  'sealingKey_digest',
]);

export function isOfLedger(fact: string): boolean {
  return !OF_DATABASE.has(fact);
}
