/** What a line of a batch asks for: `{custom_id, method, url, body}`. Its body is never parsed; it is sent as it is. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { GatewayError } from '../core/errors.ts';
import type { JsonDocument, JsonField } from '../wire/json-document.ts';
import { JsonScan, scanInside } from '../wire/json-scan.ts';

export interface RequestLine {
  readonly customId: string;
  /** The same as JSON, as it was written. */
  readonly customIdJson: Buffer;
  readonly url: string;
  /** A JSON object. */
  readonly body: Buffer;
}

/** What is wrong with a line. */
export class LineError extends Error {
  override readonly name = 'LineError';
  readonly code: string;
  readonly param: string | null;

  constructor(code: string, message: string, param: string | null = null) {
    super(message);
    this.code = code;
    this.param = param;
  }
}

/** Reads a line in turns of the event loop. Rejects with `LineError`. */
export async function readLine(bytes: Buffer): Promise<RequestLine> {
  return lineOf(await scanned(bytes));
}

const CUSTOM_ID_MAX = 512;
const URL_MAX = 512;
/** One level more than a request may have. */
const DEPTH_MAX = 129;
/** Bytes scanned in one turn of the event loop, which takes a millisecond or two. */
const TURN_BYTES = 1024 * 1024;
/** A stream that a longer body asks for is refused when its line runs. */
const SEARCHED_BYTES_MAX = TURN_BYTES;

/** For lines that are scanned in one step. */
const shared = new JsonScan({ depthMax: DEPTH_MAX });

async function scanned(bytes: Buffer): Promise<JsonDocument> {
  try {
    if (bytes.length <= TURN_BYTES) return shared.reset().finish(bytes, bytes.length);
    const scan = new JsonScan({ depthMax: DEPTH_MAX });
    for (let at = TURN_BYTES; at < bytes.length; at += TURN_BYTES) {
      scan.feed(bytes, at);
      await nextTurn();
    }
    return scan.finish(bytes, bytes.length);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.code === 'invalid_json')
      throw new LineError('invalid_json_line', 'This line is not parseable as valid JSON.');
    throw unreadable(error, 'line', null);
  }
}

function lineOf(document: JsonDocument): RequestLine {
  const { bytes } = document;
  const customId = text(document, 'custom_id', CUSTOM_ID_MAX);
  if (customId.value === '') throw new LineError('invalid_value', 'custom_id must not be empty.', 'custom_id');
  if (text(document, 'method', URL_MAX).value !== 'POST')
    throw new LineError('invalid_method', 'The only method of a batch is POST.', 'method');
  const url = text(document, 'url', URL_MAX).value;
  const body = document.fields.get('body');
  if (body === undefined) throw missing('body');
  if (body.type !== 'object') throw new LineError('invalid_value', 'body must be a JSON object.', 'body');
  if (body.valueEnd - body.valueStart <= SEARCHED_BYTES_MAX && isStreamed(document, body))
    throw new LineError('unsupported_value', 'A request of a batch cannot be streamed.', 'body.stream');
  return {
    customId: customId.value,
    customIdJson: customId.json,
    url,
    body: bytes.subarray(body.valueStart, body.valueEnd),
  };
}

function isStreamed(document: JsonDocument, body: JsonField): boolean {
  try {
    return scanInside(document, body).fields.get('stream')?.type === 'true';
  } catch (error) {
    // Such as a field that is there twice.
    if (error instanceof GatewayError) throw unreadable(error, 'body', 'body');
    throw error;
  }
}

/** Errors of a batch are stored as they are, so they say nothing of what is in its file. */
function unreadable({ code }: GatewayError, what: string, param: string | null): LineError {
  return new LineError(code, `The ${what} is refused as a request would be: ${code}.`, param);
}

function text({ bytes, fields }: JsonDocument, name: string, lengthMax: number): { value: string; json: Buffer } {
  const field = fields.get(name);
  if (field === undefined) throw missing(name);
  if (field.type !== 'string') throw new LineError('invalid_value', `${name} must be text.`, name);
  // A character takes six bytes at most: \u0041.
  const json = bytes.subarray(field.valueStart, field.valueEnd);
  if (json.length > 6 * lengthMax + 2) throw tooLong(name, lengthMax);
  const value = parsed(json, name);
  if (value.length > lengthMax) throw tooLong(name, lengthMax);
  return { value, json };
}

function parsed(json: Buffer, name: string): string {
  try {
    return JSON.parse(json.toString()) as string;
  } catch {
    throw new LineError('invalid_json_line', `${name} is not valid JSON.`, name);
  }
}

function tooLong(name: string, lengthMax: number): LineError {
  return new LineError('invalid_value', `${name} may have at most ${lengthMax} characters.`, name);
}

function missing(name: string): LineError {
  return new LineError('missing_required_parameter', `Missing required parameter: ${name}.`, name);
}
