/** Maintenance of a ledger on PostgreSQL, one job at a time at this node, each on its own thread, so that calls do not wait. */
import type { LedgerMaintenance } from '../../../billing/maintenance-ports.ts';
import type { Clock } from '../../../core/clock.ts';
import { Serial } from '../../../core/serial.ts';
import { runOnThread } from '../../sqlite/maintenance/run-on-thread.ts';
import type { PostgresJobSetting, PostgresJobs } from './maintenance-job.ts';

export interface PostgresMaintenanceParts extends Omit<PostgresJobSetting, 'nowMs'> {
  readonly clock: Pick<Clock, 'now'>;
}

export class PostgresMaintenance implements LedgerMaintenance {
  readonly #setting: Omit<PostgresJobSetting, 'nowMs'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #jobs = new Serial();
  /** Look-ups do not wait for a job, which may take minutes. */
  readonly #lookUps = new Serial();

  constructor({ clock, ...setting }: PostgresMaintenanceParts) {
    this.#clock = clock;
    this.#setting = setting;
  }

  verify({ archive }: PostgresJobs['verify']['asked']) {
    return this.#run('verify', { archive });
  }

  check() {
    return this.#run('check', null);
  }

  seal(month: string) {
    return this.#run('seal', { month });
  }

  transfers(query: PostgresJobs['transfers']['asked']) {
    return this.#run('transfers', query);
  }

  backup({ folder, secrets }: PostgresJobs['backup']['asked']) {
    return this.#run('backup', { folder, secrets });
  }

  isArchivedReference(accountId: number, reference: string) {
    return this.#run('isArchivedReference', { accountId, reference }, this.#lookUps);
  }

  adopt() {
    return this.#run('adopt', null);
  }

  /** Resolves when all jobs have ended. */
  async close(): Promise<void> {
    for (const serial of [this.#jobs, this.#lookUps]) await serial.run(async () => undefined);
  }

  #run<Name extends keyof PostgresJobs>(
    name: Name,
    asked: PostgresJobs[Name]['asked'],
    serial = this.#jobs,
  ): Promise<PostgresJobs[Name]['report']> {
    const setting = { ...this.#setting, nowMs: this.#clock.now() };
    return serial.run(() =>
      runOnThread(new URL('./maintenance-worker.ts', import.meta.url), { name, asked, setting }),
    ) as Promise<PostgresJobs[Name]['report']>;
  }
}
