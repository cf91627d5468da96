/** Maintenance of the ledger, one job at a time, each on its own thread, so that calls do not wait. */
import { Worker } from 'node:worker_threads';
import type { LedgerMaintenance } from '../../../billing/maintenance-ports.ts';
import type { Clock } from '../../../core/clock.ts';
import { type ErrorCode, GatewayError } from '../../../core/errors.ts';
import { Serial } from '../../../core/serial.ts';
import type { JobRequest, JobSetting, MaintenanceAnswer, MaintenanceJobs } from './maintenance-job.ts';

export interface SqliteMaintenanceParts extends Omit<JobSetting, 'nowMs'> {
  readonly clock: Clock;
}

export class SqliteMaintenance implements LedgerMaintenance {
  readonly #setting: Omit<JobSetting, 'nowMs'>;
  readonly #clock: Clock;
  readonly #jobs = new Serial();
  /** Look-ups do not wait for a job, which may take minutes. */
  readonly #lookUps = new Serial();

  constructor({ clock, ...setting }: SqliteMaintenanceParts) {
    this.#clock = clock;
    this.#setting = setting;
  }

  verify({ archive }: MaintenanceJobs['verify']['asked']) {
    return this.#run('verify', { archive });
  }

  check() {
    return this.#run('check', null);
  }

  seal(month: string) {
    return this.#run('seal', { month });
  }

  transfers(query: MaintenanceJobs['transfers']['asked']) {
    return this.#run('transfers', query);
  }

  backup({ folder, secrets }: MaintenanceJobs['backup']['asked']) {
    return this.#run('backup', { folder, secrets });
  }

  isArchivedReference(accountId: number, reference: string) {
    return this.#run('isArchivedReference', { accountId, reference }, this.#lookUps);
  }

  /** Resolves when all jobs have ended. */
  async close(): Promise<void> {
    for (const serial of [this.#jobs, this.#lookUps]) await serial.run(async () => undefined);
  }

  #run<Name extends keyof MaintenanceJobs>(
    name: Name,
    asked: MaintenanceJobs[Name]['asked'],
    serial = this.#jobs,
  ): Promise<MaintenanceJobs[Name]['report']> {
    return serial.run(() =>
      runOnThread<Name>({ name, asked, setting: { ...this.#setting, nowMs: this.#clock.now() } }),
    );
  }
}

function runOnThread<Name extends keyof MaintenanceJobs>(
  workerData: JobRequest<Name>,
): Promise<MaintenanceJobs[Name]['report']> {
  return new Promise((resolve, reject) => {
    // Node's command-line flags are meant for the main program, not for this file.
    const worker = new Worker(new URL('./maintenance-worker.ts', import.meta.url), { workerData, execArgv: [] });
    worker.once('message', (answer: MaintenanceAnswer) => {
      if ('report' in answer) resolve(answer.report as MaintenanceJobs[Name]['report']);
      else reject(refused(answer.refusal));
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('a thread of the ledger ended without an answer')));
  });
}

function refused({ code, message, param }: { code: ErrorCode; message: string; param: string | null }): GatewayError {
  return new GatewayError(code, { message, ...(param === null ? {} : { param }) });
}
