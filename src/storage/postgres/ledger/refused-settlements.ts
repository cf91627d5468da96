import { BadBatch } from '../../journal/batch-layout.ts';
import { isDatabaseTrouble } from '../engine/postgres-errors.ts';

/** Classes of https://www.postgresql.org/docs/current/errcodes-appendix.html: a value that is not valid, and a constraint. */
const OF_CONTENT = /^2[23]/;

/** Whether the database will never take these settlements: something in them is not valid. Anything else may be over soon. */
export function refusesSettlements(error: unknown): boolean {
  if (error instanceof BadBatch) return true;
  if (isDatabaseTrouble(error) || !(error instanceof Error)) return false;
  return 'code' in error && typeof error.code === 'string' && OF_CONTENT.test(error.code);
}
