/**
 * A table as CSV, written as it is read and no faster than it is taken. Its last line is its total: where that is missing
 * the table is not whole. One that breaks off ends with its connection, in the middle of the body.
 */
import type { FastifyReply } from 'fastify';
import { GatewayError } from '../../../core/errors.ts';
import { type CsvRow, csvLine, csvLines } from './csv.ts';
import type { TableAnswer } from './handler.ts';
import { type LongAnswerParts, TRUSTED_MS, takeConnection } from './long-answer.ts';
import { tableName } from './table-name.ts';

/** So long a caller may take nothing of what is there. */
export const IDLE_MS = 60_000;

/**
 * Resolves when all of it is written, or the caller is gone. What fails before the first line is thrown with nothing
 * written; what fails later is thrown with the connection broken.
 */
export async function sendTable(reply: FastifyReply, answer: TableAnswer, parts: LongAnswerParts): Promise<void> {
  const { clock, gone } = parts;
  const batches = answer.batches[Symbol.asyncIterator]();
  const response = reply.raw;
  try {
    let next = await batches.next();
    begin(reply, tableName(answer.subject, answer.time, clock.now()));
    let checkedAt = clock.monotonic();
    await write(`${csvLine(answer.columns)}\r\n`);
    while (next.done !== true && !gone.aborted) {
      await write(csvLines(next.value));
      if (clock.monotonic() - checkedAt >= TRUSTED_MS) {
        checkedAt = clock.monotonic();
        if (!(await parts.mayGoOn())) throw new GatewayError('permission_denied');
      }
      next = await batches.next();
    }
    if (next.done !== true) throw new GatewayError('shedding', { message: 'The export was cut off.' });
    await write(`${csvLine(next.value)}\r\n`);
    response.end();
  } catch (error) {
    // A body without its end, so that nobody takes it for the whole.
    if (response.headersSent) response.destroy();
    if (!gone.aborted || !response.headersSent) throw error;
  } finally {
    await batches.return?.(UNUSED);
  }

  /** Resolves when there is room for more. */
  async function write(text: string): Promise<void> {
    if (response.destroyed || response.write(text)) return;
    const drained = Promise.withResolvers<void>();
    const idle = clock.after(IDLE_MS, () => response.destroy());
    response.once('drain', drained.resolve).once('close', drained.resolve);
    await drained.promise;
    idle.cancel();
    response.off('drain', drained.resolve).off('close', drained.resolve);
  }
}

const UNUSED: CsvRow = [];

function begin(reply: FastifyReply, fileName: string): void {
  // In plain letters, so that it cannot become another header.
  const name = fileName.replaceAll(/[^\w.-]+/g, '_');
  takeConnection(reply, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
  }).writeHead(200);
}
