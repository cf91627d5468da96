/** What a batch's files say of a line: https://platform.openai.com/docs/api-reference/batch/request-output */
import type { CallId } from '../core/ids.ts';
import { requestId } from '../core/ids.ts';

export interface LineResponse {
  readonly status: number;
  /** The call that was answered. */
  readonly callId: CallId;
  /** JSON, as callers of the endpoint get it. */
  readonly body: Buffer;
}

/** A line that was called, with a line break. `customIdJson`: its `custom_id` as it was written. */
export function answeredLine(customIdJson: Buffer, { status, callId, body }: LineResponse): Buffer {
  const response = `,"response":{"status_code":${status},"request_id":"${requestId(callId)}","body":`;
  return Buffer.concat([
    Buffer.from(`{"id":"batch_req_${callId}","custom_id":`),
    customIdJson,
    Buffer.from(response),
    onOneLine(body),
    Buffer.from('},"error":null}\n'),
  ]);
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

/** The line breaks of JSON are white space between its values: within a text they are escaped. Many providers write them. */
function onOneLine(json: Buffer): Buffer {
  if (!isJson(json)) return Buffer.from(JSON.stringify(json.toString()));
  if (!json.includes(LINE_FEED) && !json.includes(CARRIAGE_RETURN)) return json;
  const line = Buffer.from(json);
  for (const lineBreak of [LINE_FEED, CARRIAGE_RETURN])
    for (let at = line.indexOf(lineBreak); at !== -1; at = line.indexOf(lineBreak, at + 1)) line[at] = SPACE;
  return line;
}

/** Every answer of a call is an object or a list; the dialect has checked that. */
function isJson(body: Buffer): boolean {
  const first = body.find((byte) => byte > SPACE);
  return first === 0x7b || first === 0x5b;
}
