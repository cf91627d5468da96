/** Reads requests of this format for tests, from their fields. */
import assert from 'node:assert/strict';
import type { ChatRequest } from '../../../chat/request.ts';
import { GatewayError } from '../../../core/errors.ts';
import { scanJson } from '../../../wire/json-scan.ts';
import { AT_NO_PATH } from '../../contract.ts';
import { spelling, watchedKeys } from '../peek/spelling.ts';
import { readRequest } from './read-request.ts';

/** A request for one short text, with `fields` added. */
export function read(fields: object): ChatRequest {
  const body = JSON.stringify({ model: 'vendor/one', input: 'Hi', ...fields });
  return readRequest({ ...AT_NO_PATH, headers: {}, document: scanJson(Buffer.from(body), { watchedKeys, spelling }) });
}

/** The code and the field of its 400; `served` if there is none. */
export function refusal(fields: object): readonly [code: string, param: string | null] {
  try {
    read(fields);
  } catch (error) {
    assert.ok(error instanceof GatewayError, String(error));
    assert.equal(error.status, 400);
    return [error.code, error.param];
  }
  return ['served', null];
}

/** A function. */
export const tool = (name: string, fields: object = {}) => ({
  type: 'function',
  name,
  parameters: { type: 'object' },
  ...fields,
});
