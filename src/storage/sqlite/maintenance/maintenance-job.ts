/** The upkeep of the ledger, job by job, as it is done on a thread of its own. */

import { ledgerRules } from '../../../billing/ledger-rules.ts';
import type {
  BackupReport,
  CheckReport,
  SealReport,
  TransferPage,
  TransferQuery,
  VerifyReport,
} from '../../../billing/maintenance-ports.ts';
import { systemClock } from '../../../core/clock.ts';
import { isArchivedReference } from '../archive/archived-reference.ts';
import { exportTransfers } from '../archive/export-transfers.ts';
import { sealMonth } from '../archive/seal-month.ts';
import { backUp } from '../backup/backup.ts';
import { checkLedger, verifyLedger } from '../verify/verify-ledger.ts';

/** What every job is about. */
export interface BooksSetting {
  /** The data folder, absolute. */
  readonly folder: string;
  /** `prepaid`, `postpaid` or `off`. */
  readonly billingMode: string;
  readonly longestCallMs: number;
  /** Of this program. */
  readonly version: string;
  /** Wall time, ms. */
  readonly nowMs: number;
}

export interface BooksJobs {
  readonly verify: { readonly asked: { readonly archive: boolean }; readonly report: VerifyReport };
  readonly check: { readonly asked: null; readonly report: CheckReport };
  readonly seal: { readonly asked: { readonly month: string }; readonly report: SealReport };
  readonly transfers: { readonly asked: TransferQuery; readonly report: TransferPage };
  readonly backup: {
    readonly asked: { readonly folder: string; readonly secrets: boolean };
    readonly report: BackupReport;
  };
  readonly isArchivedReference: {
    readonly asked: { readonly accountId: number; readonly reference: string };
    readonly report: boolean;
  };
}

export type BooksJob = {
  readonly [Name in keyof BooksJobs]: { readonly name: Name; readonly asked: BooksJobs[Name]['asked'] };
}[keyof BooksJobs];

export async function runBooksJob(job: BooksJob, setting: BooksSetting): Promise<BooksJobs[keyof BooksJobs]['report']> {
  const { folder, nowMs, version } = setting;
  switch (job.name) {
    case 'verify':
      return verifyLedger({ ...setting, ...job.asked, clock: systemClock, rules: ledgerRules });
    case 'check':
      return checkLedger(setting);
    case 'seal':
      return sealMonth({ folder, nowMs, month: job.asked.month });
    case 'transfers':
      return exportTransfers(folder, job.asked);
    case 'backup':
      return backUp({ from: folder, to: job.asked.folder, secrets: job.asked.secrets, version, nowMs });
    case 'isArchivedReference':
      return isArchivedReference(folder, job.asked.accountId, job.asked.reference);
  }
}
