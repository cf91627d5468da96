/** Opens the memory of what providers keep, and forgets every hour what they have deleted. */
import { StoredAnswers } from '../../gateway/stored/stored-answers.ts';
import type { Storage } from '../../storage/storage.ts';
import { deleteHourly, type HourlyParts } from './delete-hourly.ts';

export interface StoredAnswerParts extends HourlyParts {
  readonly storage: Pick<Storage, 'ledger'>;
}

export function openStoredAnswers(
  { storage, clock, log }: StoredAnswerParts,
  closing: AsyncDisposableStack,
): StoredAnswers {
  const stored = new StoredAnswers(storage.ledger);
  deleteHourly({ clock, log }, (nowMs) => stored.deleteExpired(nowMs), 'stored_ids_not_deleted', closing);
  return stored;
}
