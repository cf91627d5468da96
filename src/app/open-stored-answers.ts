/** Opens the memory of what providers keep, and forgets every hour what they have deleted. */
import type { Clock } from '../core/clock.ts';
import { StoredAnswers } from '../gateway/stored/stored-answers.ts';
import type { Storage } from '../storage/storage.ts';
import type { Log } from '../telemetry/log.ts';

const DELETE_EVERY_MS = 3_600_000;

export interface StoredAnswerParts {
  readonly storage: Pick<Storage, 'ledger'>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
}

export function openStoredAnswers(
  { storage, clock, log }: StoredAnswerParts,
  closing: AsyncDisposableStack,
): StoredAnswers {
  const stored = new StoredAnswers(storage.ledger);
  const deleting = clock.every(DELETE_EVERY_MS, () => {
    stored
      .deleteExpired(clock.now())
      .catch((error: Error) => log.warn({ cause: error.message }, 'stored_ids_not_deleted'));
  });
  closing.defer(() => deleting.cancel());
  return stored;
}
