/** The upkeep of the ledger, each job on a thread of its own and one at a time, so that calls are not kept waiting. */
import { Worker } from 'node:worker_threads';
import { OneAtATime } from '../../../accounts/one-at-a-time.ts';
import type { Books } from '../../../billing/maintenance-ports.ts';
import type { Clock } from '../../../core/clock.ts';
import { type ErrorCode, GatewayError } from '../../../core/errors.ts';
import type { BooksJobs, BooksSetting } from './maintenance-job.ts';

export interface BooksParts extends Omit<BooksSetting, 'nowMs'> {
  readonly clock: Clock;
}

export type BooksAnswer =
  | { readonly report: unknown }
  | { readonly refusal: { readonly code: ErrorCode; readonly message: string; readonly param: string | null } };

/** `close` resolves when no job runs any more; the storage is to be closed after it. */
export function openBooks({ clock, ...setting }: BooksParts): Books & { close(): Promise<void> } {
  const jobs = new OneAtATime();
  const run = <Name extends keyof BooksJobs>(
    name: Name,
    asked: BooksJobs[Name]['asked'],
  ): Promise<BooksJobs[Name]['report']> =>
    jobs.run(() => runOnThread({ job: { name, asked }, setting: { ...setting, nowMs: clock.now() } }));
  return {
    verify: ({ archive }) => run('verify', { archive }),
    check: () => run('check', null),
    seal: (month) => run('seal', { month }),
    transfers: (query) => run('transfers', query),
    backup: ({ folder, secrets }) => run('backup', { folder, secrets }),
    isArchivedReference: (accountId, reference) => run('isArchivedReference', { accountId, reference }),
    close: () => jobs.run(async () => undefined),
  };
}

function runOnThread<Report>(workerData: unknown): Promise<Report> {
  return new Promise((resolve, reject) => {
    // Flags of the command line are about the program's own file, not about this one.
    const worker = new Worker(new URL('./maintenance-worker.ts', import.meta.url), { workerData, execArgv: [] });
    worker.once('message', (answer: BooksAnswer) => {
      if ('report' in answer) resolve(answer.report as Report);
      else reject(refused(answer.refusal));
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('a thread of the ledger ended without an answer')));
  });
}

function refused({ code, message, param }: { code: ErrorCode; message: string; param: string | null }): GatewayError {
  return new GatewayError(code, { message, ...(param === null ? {} : { param }) });
}
