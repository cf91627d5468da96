/** Batches of callers, by project: made, found, listed and cancelled. A batch of another project is unknown. */
import type { Clock } from '../core/clock.ts';
import { GatewayError } from '../core/errors.ts';
import { type AccountId, type BatchId, type KeyId, newBatchId, type ProjectId, parseBatchId } from '../core/ids.ts';
import { Serial } from '../core/serial.ts';
import type { CallersFiles, SpaceLimits } from '../files/callers-files.ts';
import { batchEndpoints, findEndpoint } from './endpoints.ts';
import type { BatchPage, BatchRow, BatchStore } from './ports.ts';

export interface CallersBatchesParts {
  readonly store: Pick<BatchStore, 'create' | 'find' | 'list' | 'cancel' | 'countOpen' | 'keepLast'>;
  readonly files: Pick<CallersFiles, 'find' | 'checkSpace'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Called when a batch was made, or is to be cancelled. */
  readonly onChange: () => void;
}

export interface NewBatch {
  readonly accountId: AccountId;
  readonly projectId: ProjectId;
  readonly keyId: KeyId;
  readonly address: string | null;
  readonly endpoint: string;
  /** As sent. */
  readonly inputFileId: string;
  readonly keptMs: number | null;
  readonly metadata: Readonly<Record<string, string>> | null;
}

/** Batches of an account. */
export interface BatchCounts {
  readonly openMax: number;
  /** Those that have ended and are still shown. */
  readonly endedMax: number;
}

/** The only completion window. */
export const WINDOW_MS = 86_400_000;
/** How long results are kept that nobody says anything of. */
const KEPT_MS = 30 * 86_400_000;
const SHOWN_MAX = 80;

export class CallersBatches {
  readonly #parts: CallersBatchesParts;
  /** Batches are counted and made one after the other: several at a time would all find the same count. */
  readonly #making = new Serial();

  constructor(parts: CallersBatchesParts) {
    this.#parts = parts;
  }

  /** Throws `GatewayError` 400, 404, 413, 429. */
  async create(batch: NewBatch, limits: BatchCounts & SpaceLimits): Promise<BatchRow> {
    const { store, files, clock, onChange } = this.#parts;
    const { inputFileId, keptMs, ...rest } = batch;
    if (findEndpoint(batch.endpoint) === null) throw unknownEndpoint();
    const file = await files.find(batch.projectId, inputFileId);
    if (file.purpose !== 'batch') throw notForBatches(file.id);
    const createdAt = clock.now();
    const expiresAt = createdAt + WINDOW_MS;
    if (file.expiresAt <= expiresAt) throw expiresTooSoon(file.id);
    const row: BatchRow = {
      ...rest,
      id: newBatchId(createdAt),
      inputFileId: file.id,
      createdAt,
      expiresAt,
      keptMs: keptMs ?? KEPT_MS,
      status: 'validating',
      times: {},
      outputFileId: null,
      errorFileId: null,
      total: 0,
      completed: 0,
      failed: 0,
      errors: [],
      waiting: 0,
      waitingFor: null,
      totals: null,
    };
    await this.#making.run(async () => {
      const { openMax, endedMax } = limits;
      if ((await store.countOpen(batch.accountId)) >= openMax) throw tooManyOpen(openMax);
      await files.checkSpace(batch.accountId, limits);
      await store.keepLast(batch.accountId, endedMax);
      await store.create(row);
    });
    onChange();
    return row;
  }

  /** `id`: as sent. Throws `GatewayError` 404. */
  async find(projectId: ProjectId, id: string): Promise<BatchRow> {
    const row = await this.#parts.store.find(projectId, batchIdOf(id));
    if (row === null) throw notFound(id);
    return row;
  }

  async list(projectId: ProjectId, page: BatchPage): Promise<BatchList> {
    const rows = await this.#parts.store.list(projectId, { ...page, limit: page.limit + 1 });
    return { batches: rows.slice(0, page.limit), hasMore: rows.length > page.limit };
  }

  /** Throws `GatewayError` 404, and 409 for a batch that has ended. */
  async cancel(projectId: ProjectId, id: string): Promise<BatchRow> {
    const { store, clock, onChange } = this.#parts;
    const row = await store.cancel(projectId, batchIdOf(id), clock.now());
    if (row === null) throw notFound(id);
    if (row.status !== 'cancelling' && row.status !== 'cancelled') throw cannotCancel(row);
    onChange();
    return row;
  }
}

export interface BatchList {
  readonly batches: readonly BatchRow[];
  readonly hasMore: boolean;
}

function batchIdOf(id: string): BatchId {
  const batchId = parseBatchId(id);
  if (batchId === null) throw notFound(id);
  return batchId;
}

function notFound(id: string): GatewayError {
  const shown = JSON.stringify(id.length > SHOWN_MAX ? `${id.slice(0, SHOWN_MAX)}…` : id);
  return new GatewayError('batch_not_found', {
    message: `No batch with the id ${shown} is known here: it does not exist, or belongs to another project.`,
    param: 'id',
  });
}

function cannotCancel({ id, status }: BatchRow): GatewayError {
  return new GatewayError('conflict', { message: `The batch ${id} cannot be cancelled: it is ${status}.` });
}

function unknownEndpoint(): GatewayError {
  return new GatewayError('invalid_value', {
    message: `Batches can be sent to ${batchEndpoints.join(', ')}.`,
    param: 'endpoint',
  });
}

function notForBatches(id: string): GatewayError {
  return new GatewayError('invalid_value', {
    message: `The file ${id} has results of a batch. Upload the requests as a file with the purpose batch.`,
    param: 'input_file_id',
  });
}

function expiresTooSoon(id: string): GatewayError {
  return new GatewayError('invalid_value', {
    message: `The file ${id} expires before the completion window of the batch does. Upload it again with a later expiry.`,
    param: 'input_file_id',
  });
}

function tooManyOpen(openMax: number): GatewayError {
  return new GatewayError('rate_limit_exceeded', {
    message: `This account has ${openMax} batches that have not ended, which is the most (batches.openMax). Wait until one has ended, or cancel one.`,
    retryAfterSeconds: 60,
  });
}
