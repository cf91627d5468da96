/**
 * Sends a table as CSV while it is produced, no faster than the client reads it. Its last line is the total: without it the table is
 * incomplete. On failure the connection ends in the middle of the body.
 */
import type { FastifyReply } from 'fastify';
import { GatewayError } from '../../../core/errors.ts';
import { type CsvRow, csvLine, csvLines } from './csv.ts';
import type { TableAnswer } from './handler.ts';
import { type LongAnswerParts, TRUSTED_MS, takeConnection } from './long-answer.ts';
import { tableName } from './table-name.ts';

/** How long a caller may read nothing while data is available. */
export const IDLE_MS = 60_000;

/**
 * Resolves when everything is written, or the caller has left. An error before the first line is thrown with nothing written; a later one
 * is thrown after breaking the connection.
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
        if (!(await parts.isStillAllowed())) throw new GatewayError('permission_denied');
      }
      next = await batches.next();
    }
    if (next.done !== true) throw new GatewayError('shedding', { message: 'The export was cut off.' });
    await write(`${csvLine(next.value)}\r\n`);
    response.end();
  } catch (error) {
    // Break the body off, so that nobody takes it for complete.
    if (response.headersSent) response.destroy();
    if (!gone.aborted || !response.headersSent) throw error;
  } finally {
    await batches.return?.(UNUSED);
  }

  /** Resolves when more can be written. */
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
  // Plain characters only, so that it cannot inject another header.
  const name = fileName.replaceAll(/[^\w.-]+/g, '_');
  takeConnection(reply, {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
  }).writeHead(200);
}
