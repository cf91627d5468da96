/**
 * Reads HTTP/1.1 messages out of raw bytes, for tests that must see what really went over a socket.
 * It takes what well-behaved senders send and throws on the rest.
 */
export interface HttpMessage {
  /** `POST /v1/messages HTTP/1.1` or `HTTP/1.1 200 OK`. */
  readonly startLine: string;
  /** Names as sent, in order, duplicates included. */
  readonly rawHeaders: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

/** The value of a header, by any case of its name; null if it is absent. */
export function headerOf(message: HttpMessage, name: string): string | null {
  return message.rawHeaders.find(([sent]) => sent.toLowerCase() === name)?.[1] ?? null;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');

export class HttpReader {
  /** What arrived and is in no message yet. Joined only when it may complete one: test bodies have many megabytes. */
  #parts: Buffer[] = [];
  #length = 0;
  /** How many bytes there are when the current message can be complete. */
  #needed = 1;

  /** Takes bytes and returns the messages that they complete. */
  feed(bytes: Buffer): HttpMessage[] {
    this.#parts.push(bytes);
    this.#length += bytes.length;
    const messages: HttpMessage[] = [];
    for (let message = this.#next(false); message !== null; message = this.#next(false)) messages.push(message);
    return messages;
  }

  /** Call when the sender closed: an answer without a length ends here. */
  finish(): HttpMessage | null {
    return this.#length === 0 ? null : this.#next(true);
  }

  get leftover(): Buffer {
    if (this.#parts.length !== 1) this.#parts = [Buffer.concat(this.#parts)];
    return this.#parts[0] as Buffer;
  }

  #next(closed: boolean): HttpMessage | null {
    if (this.#length < this.#needed && !closed) return null;
    const bytes = this.leftover;
    const headEnd = bytes.indexOf(HEAD_END);
    if (headEnd === -1) return null;
    const [startLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
    const rawHeaders = lines.map((line): readonly [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    });
    const head: HttpMessage = { startLine, rawHeaders, body: Buffer.alloc(0) };
    const start = headEnd + HEAD_END.length;
    const rest = bytes.subarray(start);
    const found = readContent(head, rest, closed);
    if (typeof found === 'number') {
      this.#needed = start + found;
      return null;
    }
    this.#parts = [rest.subarray(found.consumed)];
    this.#length = rest.length - found.consumed;
    this.#needed = 1;
    return { ...head, body: found.body };
  }
}

interface Content {
  readonly body: Buffer;
  readonly consumed: number;
}

/** The content, or the least number of bytes at which it is complete. */
function readContent(head: HttpMessage, rest: Buffer, closed: boolean): Content | number {
  if (headerOf(head, 'transfer-encoding') === 'chunked') return readChunks(rest);
  const isAnswer = head.startLine.startsWith('HTTP/');
  const status = isAnswer ? Number(head.startLine.split(' ')[1]) : null;
  const length = headerOf(head, 'content-length');
  if (length === null) {
    if (!isAnswer || (status !== null && (status < 200 || status === 204)))
      return { body: Buffer.alloc(0), consumed: 0 };
    return closed ? { body: rest, consumed: rest.length } : Number.POSITIVE_INFINITY;
  }
  const bytes = Number(length);
  return rest.length < bytes ? bytes : { body: rest.subarray(0, bytes), consumed: bytes };
}

function readChunks(rest: Buffer): Content | number {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = rest.indexOf(LINE_END, at);
    if (lineEnd === -1) return rest.length + 1;
    const size = Number.parseInt(rest.subarray(at, lineEnd).toString('latin1'), 16);
    if (Number.isNaN(size)) throw new Error('a chunk without a size');
    const start = lineEnd + LINE_END.length;
    if (rest.length < start + size + LINE_END.length) return start + size + LINE_END.length;
    at = start + size + LINE_END.length;
    if (size === 0) return { body: Buffer.concat(parts), consumed: at };
    parts.push(rest.subarray(start, start + size));
  }
}
