/** Runs a maintenance job on a thread of its own, which answers once and ends. */
import { Worker } from 'node:worker_threads';
import { type ErrorCode, GatewayError } from '../../../core/errors.ts';
import type { MaintenanceAnswer } from './maintenance-job.ts';

/** `workerData` is sent to the thread's file, whose answer is a report, or a refusal that is thrown as a `GatewayError`. */
export function runOnThread(file: URL, workerData: unknown): Promise<unknown> {
  return new Promise((resolve, reject) => {
    // Node's command-line flags are meant for the main program, not for this file.
    const worker = new Worker(file, { workerData, execArgv: [] });
    worker.once('message', (answer: MaintenanceAnswer) => {
      if ('report' in answer) resolve(answer.report);
      else reject(refused(answer.refusal));
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('a thread of the ledger ended without an answer')));
  });
}

function refused({ code, message, param }: { code: ErrorCode; message: string; param: string | null }): GatewayError {
  return new GatewayError(code, { message, ...(param === null ? {} : { param }) });
}
