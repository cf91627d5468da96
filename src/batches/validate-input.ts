/** Reads the input of a batch once, before any of it runs: each line must say what to do, and under which id its result is found. */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { findEndpoint } from './endpoints.ts';
import { LineReader, LineTooLong, type ReadChunks } from './line-reader.ts';
import type { InputError } from './ports.ts';
import { LineError, readLine } from './read-line.ts';

export interface InputLimits {
  readonly linesMax: number;
  /** Of the longest line. */
  readonly lineBytesMax: number;
}

export type Validated = { readonly total: number } | { readonly errors: readonly InputError[] };

/** As many are returned. */
const ERRORS_MAX = 100;
/** An id is kept as 12 bytes of its digest, so that 50,000 long ones take little memory; two have the same by chance once in 2^65 files. */
const ID_DIGEST_BYTES = 12;
/** Lines read in one turn of the event loop, which takes a millisecond or two if they are short. */
const LINES_A_TURN = 50;

/**
 * `goesOn` is asked at each line; once it is false the answer is null. Rejects with the error of whoever reads the file.
 */
export async function validateInput(
  read: ReadChunks,
  endpoint: string,
  limits: InputLimits,
  goesOn: () => boolean,
): Promise<Validated | null> {
  const errors: InputError[] = [];
  const lineOfId = new Map<string, number>();
  const reader = new LineReader(read, limits.lineBytesMax);
  let total = 0;
  try {
    for (;;) {
      if (!goesOn()) return null;
      const line = await reader.next();
      if (line === null) break;
      total += 1;
      if (total % LINES_A_TURN === 0) await nextTurn();
      if (total > limits.linesMax) {
        errors.push(ofFile('too_many_requests', `A batch has at most ${limits.linesMax} lines (batches.linesMax).`));
        break;
      }
      const { shown } = line.place;
      const error = await errorOf(line.bytes, endpoint, lineOfId, shown);
      if (error !== null) errors.push({ code: error.code, message: error.message, param: error.param, line: shown });
      if (errors.length === ERRORS_MAX) break;
    }
  } catch (error) {
    if (!(error instanceof LineTooLong)) throw error;
    const message = `The line is longer than ${limits.lineBytesMax} bytes.`;
    errors.push({ code: 'line_too_long', message, param: null, line: error.place.shown });
  } finally {
    await reader.close();
  }
  if (total === 0 && errors.length === 0) errors.push(ofFile('empty_file', 'The input file has no lines.'));
  return errors.length > 0 ? { errors } : { total };
}

async function errorOf(
  bytes: Buffer,
  endpoint: string,
  lineOfId: Map<string, number>,
  shown: number,
): Promise<LineError | null> {
  try {
    const { customId, url } = await readLine(bytes);
    const found = findEndpoint(url);
    if (found === null || found !== findEndpoint(endpoint))
      return new LineError('mismatched_endpoint', `The url is not the endpoint of the batch, ${endpoint}.`, 'url');
    const digest = digestOf(customId);
    const earlier = lineOfId.get(digest);
    if (earlier !== undefined)
      return new LineError('duplicate_custom_id', `Line ${earlier} has the same custom_id.`, 'custom_id');
    lineOfId.set(digest, shown);
    return null;
  } catch (error) {
    if (error instanceof LineError) return error;
    throw error;
  }
}

function digestOf(customId: string): string {
  return createHash('sha256').update(customId).digest().toString('latin1', 0, ID_DIGEST_BYTES);
}

function ofFile(code: string, message: string): InputError {
  return { code, message, param: 'input_file_id', line: null };
}
