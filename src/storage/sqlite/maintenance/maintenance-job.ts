/** The jobs of ledger maintenance, which run on a separate thread. */
import type {
  BackupReport,
  CheckReport,
  LedgerRules,
  SealReport,
  TransferPage,
  TransferQuery,
  VerifyReport,
} from '../../../billing/maintenance-ports.ts';
import { systemClock } from '../../../core/clock.ts';
import type { ErrorCode } from '../../../core/errors.ts';
import type { MaintenanceSetting } from '../../maintenance-setting.ts';
import { isReferenceOfLedger } from '../archive/archived-reference.ts';
import { exportTransfers } from '../archive/export-transfers.ts';
import { sealMonth } from '../archive/seal-month.ts';
import { backUp } from '../backup/backup.ts';
import { checkLedger, verifyLedger } from '../verify/verify-ledger.ts';

/** The settings of every job, passed to the job's thread. */
export interface JobSetting extends MaintenanceSetting {
  /** The data folder, absolute. */
  readonly folder: string;
  /** Wall time, ms. */
  readonly nowMs: number;
}

export interface MaintenanceJobs {
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

/** The workerData of a job's thread. */
export interface JobRequest<Name extends keyof MaintenanceJobs> {
  readonly name: Name;
  readonly asked: MaintenanceJobs[Name]['asked'];
  readonly setting: JobSetting;
}

/** The answer of a job's thread. */
export type MaintenanceAnswer =
  | { readonly report: unknown }
  | { readonly refusal: { readonly code: ErrorCode; readonly message: string; readonly param: string | null } };

type Jobs = {
  readonly [Name in keyof MaintenanceJobs]: (
    setting: JobSetting,
    asked: MaintenanceJobs[Name]['asked'],
  ) => MaintenanceJobs[Name]['report'] | Promise<MaintenanceJobs[Name]['report']>;
};

const jobs: Jobs = {
  async verify(setting, { archive }) {
    return verifyLedger({ ...setting, archive, clock: systemClock, rules: await readRules(setting.rulesModule) });
  },
  check: (setting) => checkLedger(setting),
  seal: ({ folder, nowMs }, { month }) => sealMonth({ folder, nowMs, month }),
  transfers: ({ folder }, query) => exportTransfers(folder, query),
  backup: ({ folder, nowMs, version }, { folder: to, secrets }) =>
    backUp({ from: folder, to, secrets, version, nowMs }),
  isArchivedReference: ({ folder }, { accountId, reference }) => isReferenceOfLedger(folder, accountId, reference),
};

export async function runMaintenanceJob<Name extends keyof MaintenanceJobs>(
  name: Name,
  asked: MaintenanceJobs[Name]['asked'],
  setting: JobSetting,
): Promise<MaintenanceJobs[Name]['report']> {
  return jobs[name](setting, asked);
}

async function readRules(module: string): Promise<LedgerRules> {
  const { ledgerRules } = (await import(module)) as { readonly ledgerRules: LedgerRules };
  return ledgerRules;
}
