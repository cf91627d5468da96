/** Opens the files of callers, and deletes every hour those that have expired. */
import type { SharedSealer } from '../../core/sealing/sealer.ts';
import { CallersFiles } from '../../files/callers-files.ts';
import { FileContents } from '../../files/file-contents.ts';
import type { Storage } from '../../storage/storage.ts';
import { deleteHourly, type HourlyParts } from './delete-hourly.ts';

export interface FilesParts extends HourlyParts {
  readonly storage: Pick<Storage, 'files' | 'batches'>;
  readonly sealer: SharedSealer;
}

export function openFiles({ storage, sealer, clock, log }: FilesParts, closing: AsyncDisposableStack): CallersFiles {
  const contents = new FileContents({ store: storage.files, sealer });
  const files = new CallersFiles({ store: storage.files, contents, clock, uses: storage.batches });
  deleteHourly({ clock, log }, (nowMs) => files.deleteExpired(nowMs), 'files_not_deleted', closing);
  return files;
}
