/** What a batch's files say of a line: https://platform.openai.com/docs/api-reference/batch/request-output */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Body } from '../core/body.ts';
import type { CallId } from '../core/ids.ts';
import { requestId } from '../core/ids.ts';

export interface LineResponse {
  readonly status: number;
  /** The call that was answered. */
  readonly callId: CallId;
  /** JSON, as callers of the endpoint get it. */
  readonly body: Buffer;
}

/**
 * A line that was called, with a line break. `customIdJson`: its `custom_id` as it was written. Line breaks of the body are taken out of it in place; a
 * large one is in a part of its own, and calls run in between.
 */
export async function answeredLine(customIdJson: Buffer, { status, callId, body }: LineResponse): Promise<Body> {
  const response = `,"response":{"status_code":${status},"request_id":"${requestId(callId)}","body":`;
  const parts = [
    Buffer.from(`{"id":"batch_req_${callId}","custom_id":`),
    customIdJson,
    Buffer.from(response),
    await onOneLine(body),
    Buffer.from('},"error":null}\n'),
  ];
  return body.length <= TURN_BYTES ? Buffer.concat(parts) : parts;
}

/** Why a line never ran. */
export interface LineFault {
  readonly code: string;
  readonly message: string;
}

/** A line that never ran. `id`: what makes its own id. */
export function skippedLine(id: string, customIdJson: Buffer, { code, message }: LineFault): Buffer {
  const error = JSON.stringify({ code, message });
  return Buffer.concat([
    Buffer.from(`{"id":"batch_req_${id}","custom_id":`),
    customIdJson,
    Buffer.from(`,"response":null,"error":${error}}\n`),
  ]);
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
/** Looked through in one turn of the event loop, which takes a millisecond or so. */
const TURN_BYTES = 512 * 1024;

/** The line breaks of JSON are white space between its values: within a text they are escaped. Many providers write them. */
async function onOneLine(json: Buffer): Promise<Buffer> {
  if (!isJson(json)) return Buffer.from(JSON.stringify(json.toString()));
  for (let from = 0; from < json.length; from += TURN_BYTES) {
    if (from > 0) await nextTurn();
    const part = json.subarray(from, from + TURN_BYTES);
    if (!part.includes(LINE_FEED) && !part.includes(CARRIAGE_RETURN)) continue;
    for (let at = 0; at < part.length; at += 1)
      if (part[at] === LINE_FEED || part[at] === CARRIAGE_RETURN) part[at] = SPACE;
  }
  return json;
}

/** Every answer of a call is an object or a list; the dialect has checked that. */
function isJson(body: Buffer): boolean {
  let at = 0;
  while (at < body.length && (body[at] as number) <= SPACE) at += 1;
  return body[at] === 0x7b || body[at] === 0x5b;
}
