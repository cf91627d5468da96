import type { LedgerRow } from '../../../billing/ports.ts';
import { WriteThread } from '../../threads/write-thread.ts';
import type { CommitTarget } from './group-commit.ts';

/** Commits on a separate thread, with each commit synced to the disk. */
export class CommitThread extends WriteThread<readonly LedgerRow[]> implements CommitTarget {
  readonly isSynchronous = false;

  constructor(path: string) {
    super(new URL('./commit-worker.ts', import.meta.url), { path });
  }
}
