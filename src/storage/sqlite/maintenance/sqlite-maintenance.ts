/** Maintenance of the ledger, one job at a time, each on its own thread, so that calls do not wait. */
import type { AdoptReport, LedgerMaintenance } from '../../../billing/maintenance-ports.ts';
import type { Clock } from '../../../core/clock.ts';
import { GatewayError } from '../../../core/errors.ts';
import { Serial } from '../../../core/serial.ts';
import type { JobSetting, MaintenanceJobs } from './maintenance-job.ts';
import { runOnThread } from './run-on-thread.ts';

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

  async adopt(): Promise<AdoptReport> {
    throw new GatewayError('conflict', {
      message:
        'This ledger is in the data folder of one server: nothing is lent to nodes, and a restored backup can be served as it is.',
    });
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
      runOnThread(new URL('./maintenance-worker.ts', import.meta.url), {
        ...{ name, asked, setting: { ...this.#setting, nowMs: this.#clock.now() } },
      }),
    ) as Promise<MaintenanceJobs[Name]['report']>;
  }
}
