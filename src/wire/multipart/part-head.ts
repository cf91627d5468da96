/** What the head of a part of a form says: https://www.rfc-editor.org/rfc/rfc7578#section-4.2 */
import { isUtf8 } from 'node:buffer';
import { readParameters } from './header-parameters.ts';
import { malformed } from './multipart-reader.ts';

export interface PartHead {
  readonly name: string;
  /** Null for a part that is no file. */
  readonly fileName: string | null;
  readonly contentType: string | null;
}

/** Field names of forms that callers send; it keeps everything else out of what is written again. */
const NAME = /^[A-Za-z0-9_.-]{1,64}(?:\[[A-Za-z0-9_.-]{0,64}\])?$/;
/** As bytes of UTF-8 in a header of ours. */
const TYPE = /^[\x20-\x7e]{1,256}$/;
const PLAIN_ENCODINGS = ['binary', '8bit', '7bit'];

/** Throws `GatewayError` 400. Headers that say nothing here are left out. */
export function readPartHead(head: Buffer): PartHead {
  if (!isUtf8(head)) throw malformed('the headers of a part are not UTF-8');
  const headers = readLines(head.toString('utf8'));
  const encoding = headers.get('content-transfer-encoding');
  if (encoding !== undefined && !PLAIN_ENCODINGS.includes(encoding.toLowerCase()))
    throw malformed('a part is encoded; send its bytes as they are');
  const disposition = readParameters(headers.get('content-disposition') ?? '');
  const name = disposition?.parameters.get('name') ?? '';
  if (disposition?.value !== 'form-data' || !NAME.test(name))
    throw malformed('a part has no content-disposition: form-data; name="…"');
  const contentType = headers.get('content-type') ?? null;
  if (contentType !== null && (!TYPE.test(contentType) || contentType.toLowerCase().startsWith('multipart/')))
    throw malformed('a part has a content-type that no field and no file has');
  return { name, fileName: disposition.parameters.get('filename') ?? null, contentType };
}

/** By lower-case name. */
function readLines(text: string): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  if (text === '') return headers;
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    if (colon < 1 || !isToken(name) || hasControl(line)) throw malformed('a part has a line that is no header');
    if (headers.has(name)) throw malformed('a part has a header twice');
    headers.set(name, line.slice(colon + 1).trim());
  }
  return headers;
}

function isToken(name: string): boolean {
  return /^[a-z0-9-]+$/.test(name);
}

function hasControl(line: string): boolean {
  for (let at = 0; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    if ((code < 0x20 && code !== 0x09) || code === 0x7f) return true;
  }
  return false;
}
