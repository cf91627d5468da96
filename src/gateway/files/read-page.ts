import { GatewayError } from '../../core/errors.ts';
import { parseFileId } from '../../core/ids.ts';
import type { FilePage, FilePurpose } from '../../files/ports.ts';

/** What OpenAI takes, and how many files one page has at most here. */
const LIMIT_MAX = 10_000;
const PAGE_MAX = 1_000;

/** Null if no file can have the purpose that is asked for. Throws `GatewayError` 400. */
export function readPage(query: string): FilePage | null {
  const sent = new URLSearchParams(query);
  const purpose = sent.get('purpose');
  if (purpose !== null && !isPurpose(purpose)) return null;
  return { after: afterIn(sent), limit: limitIn(sent), purpose, order: orderIn(sent) };
}

function isPurpose(purpose: string): purpose is FilePurpose {
  return purpose === 'batch' || purpose === 'batch_output';
}

function afterIn(sent: URLSearchParams): FilePage['after'] {
  const text = sent.get('after');
  if (text === null || text === '') return null;
  const id = parseFileId(text);
  if (id === null) throw invalid('after', 'the id of a file');
  return id;
}

function limitIn(sent: URLSearchParams): number {
  const text = sent.get('limit') ?? String(LIMIT_MAX);
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > LIMIT_MAX) throw invalid('limit', `a whole number from 1 to ${LIMIT_MAX}`);
  return Math.min(limit, PAGE_MAX);
}

function orderIn(sent: URLSearchParams): FilePage['order'] {
  const order = sent.get('order') ?? 'desc';
  if (order !== 'asc' && order !== 'desc') throw invalid('order', 'asc or desc');
  return order;
}

function invalid(param: string, what: string): GatewayError {
  return new GatewayError('invalid_value', { message: `"${param}" must be ${what}.`, param });
}
