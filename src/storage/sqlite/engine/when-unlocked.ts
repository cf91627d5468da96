/** Retries a statement for a while if another connection has locked the database. */
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '../../../core/clock.ts';
import { eraseRefusedCommit } from './erase-refused-commit.ts';
import { isInputOrOutput, isLocked } from './sqlite-errors.ts';

const RETRY_MS = 10;
/** After this time a lock is reported as an error, because a caller waits for the answer. */
const LOCK_WAIT_MAX_MS = 5_000;

export interface Connection {
  readonly database: DatabaseSync;
  readonly clock: Clock;
}

export async function whenUnlocked<Result>({ database, clock }: Connection, execute: () => Result): Promise<Result> {
  const deadline = clock.monotonic() + LOCK_WAIT_MAX_MS;
  for (;;) {
    try {
      return execute();
    } catch (error) {
      if (isInputOrOutput(error) && !database.isTransaction) throw eraseRefusedCommit(database, error);
      if (!isLocked(error) || clock.monotonic() >= deadline) throw error;
      await new Promise<void>((resolve) => clock.after(RETRY_MS, resolve));
    }
  }
}
