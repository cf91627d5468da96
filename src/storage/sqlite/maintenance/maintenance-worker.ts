/** The thread of one maintenance job: runs it, answers and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { GatewayError } from '../../../core/errors.ts';
import { type JobRequest, type MaintenanceAnswer, type MaintenanceJobs, runMaintenanceJob } from './maintenance-job.ts';

const { name, asked, setting } = workerData as JobRequest<keyof MaintenanceJobs>;

async function answer(): Promise<MaintenanceAnswer> {
  try {
    return { report: await runMaintenanceJob(name, asked, setting) };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    // An error loses its class between threads.
    const { code, message, param } = error;
    return { refusal: { code, message, param } };
  }
}

parentPort?.postMessage(await answer());
