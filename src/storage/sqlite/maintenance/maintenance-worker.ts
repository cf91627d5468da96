/** The thread of one job of the upkeep: it does what it was started for, answers and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import { GatewayError } from '../../../core/errors.ts';
import { type BooksJob, type BooksSetting, runBooksJob } from './maintenance-job.ts';
import type { BooksAnswer } from './open-maintenance.ts';

const { job, setting } = workerData as { readonly job: BooksJob; readonly setting: BooksSetting };

async function answer(): Promise<BooksAnswer> {
  try {
    return { report: await runBooksJob(job, setting) };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    // An error loses its class on the way between threads.
    const { code, message, param } = error;
    return { refusal: { code, message, param } };
  }
}

parentPort?.postMessage(await answer());
