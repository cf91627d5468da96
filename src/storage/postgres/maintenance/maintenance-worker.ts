/** The thread of one maintenance job on PostgreSQL: runs it, answers and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { GatewayError } from '../../../core/errors.ts';
import type { MaintenanceAnswer } from '../../sqlite/maintenance/maintenance-job.ts';
import { type PostgresJobSetting, type PostgresJobs, runPostgresJob } from './maintenance-job.ts';

interface Request<Name extends keyof PostgresJobs> {
  readonly name: Name;
  readonly asked: PostgresJobs[Name]['asked'];
  readonly setting: PostgresJobSetting;
}

const { name, asked, setting } = workerData as Request<keyof PostgresJobs>;

async function answer(): Promise<MaintenanceAnswer> {
  try {
    return { report: await runPostgresJob(name, asked, setting) };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    // An error loses its class between threads.
    const { code, message, param } = error;
    return { refusal: { code, message, param } };
  }
}

parentPort?.postMessage(await answer());
