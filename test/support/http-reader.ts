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

/** The value of a header, by any case of its name; null when it is not there. */
export function headerOf(message: HttpMessage, name: string): string | null {
  return message.rawHeaders.find(([sent]) => sent.toLowerCase() === name)?.[1] ?? null;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LINE_END = Buffer.from('\r\n');

export class HttpReader {
  #bytes: Buffer = Buffer.alloc(0);

  /** Takes bytes and returns the messages that they complete. */
  feed(bytes: Buffer): HttpMessage[] {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    const messages: HttpMessage[] = [];
    for (let message = this.#next(false); message !== null; message = this.#next(false)) messages.push(message);
    return messages;
  }

  /** Call when the sender closed: an answer without a length ends here. */
  finish(): HttpMessage | null {
    return this.#bytes.length === 0 ? null : this.#next(true);
  }

  get leftover(): Buffer {
    return this.#bytes;
  }

  #next(closed: boolean): HttpMessage | null {
    const headEnd = this.#bytes.indexOf(HEAD_END);
    if (headEnd === -1) return null;
    const [startLine = '', ...lines] = this.#bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
    const rawHeaders = lines.map((line): readonly [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    });
    const head: HttpMessage = { startLine, rawHeaders, body: Buffer.alloc(0) };
    const rest = this.#bytes.subarray(headEnd + HEAD_END.length);
    const found = readContent(head, rest, closed);
    if (found === null) return null;
    this.#bytes = rest.subarray(found.consumed);
    return { ...head, body: found.body };
  }
}

function readContent(head: HttpMessage, rest: Buffer, closed: boolean): { body: Buffer; consumed: number } | null {
  if (headerOf(head, 'transfer-encoding') === 'chunked') return readChunks(rest);
  const isAnswer = head.startLine.startsWith('HTTP/');
  const status = isAnswer ? Number(head.startLine.split(' ')[1]) : null;
  const length = headerOf(head, 'content-length');
  if (length === null) {
    if (!isAnswer || (status !== null && (status < 200 || status === 204)))
      return { body: Buffer.alloc(0), consumed: 0 };
    return closed ? { body: rest, consumed: rest.length } : null;
  }
  const bytes = Number(length);
  return rest.length < bytes ? null : { body: rest.subarray(0, bytes), consumed: bytes };
}

function readChunks(rest: Buffer): { body: Buffer; consumed: number } | null {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = rest.indexOf(LINE_END, at);
    if (lineEnd === -1) return null;
    const size = Number.parseInt(rest.subarray(at, lineEnd).toString('latin1'), 16);
    if (Number.isNaN(size)) throw new Error('a chunk without a size');
    const start = lineEnd + LINE_END.length;
    if (rest.length < start + size + LINE_END.length) return null;
    at = start + size + LINE_END.length;
    if (size === 0) return { body: Buffer.concat(parts), consumed: at };
    parts.push(rest.subarray(start, start + size));
  }
}
