import { WriteThread } from '../threads/write-thread.ts';
import type { JournalPart } from './journal-part.ts';
import type { JournalSink } from './journal-writer.ts';

/** Writes on a separate thread, with each commit synced to the disk. */
export class JournalThread extends WriteThread<JournalPart> implements JournalSink {
  constructor(folder: string) {
    super(new URL('./journal-worker.ts', import.meta.url), { folder });
  }
}
