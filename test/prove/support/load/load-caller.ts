/** Callers that offer calls at a rate, whatever becomes of them, over connections that they keep. */
import { connect, type Socket } from 'node:net';
import { AnswerReader } from '../../../../bench/load/answer-reader.ts';

export type Format = 'openai-chat' | 'anthropic-messages';

export interface LoadCall {
  readonly key: string;
  readonly format: Format;
  readonly stream: boolean;
  readonly prompt: string;
  /** Leaves this long after it has sent its request, ms. */
  readonly leavesAfterMs?: number;
}

/** What came of one call. */
export interface Outcome {
  /** 0 if the connection broke before the head of an answer. */
  readonly status: number;
  /** Whether the answer came to its end, as HTTP and as its format says it. */
  readonly whole: boolean;
  /** From when it was due to the last byte. */
  readonly ms: number;
  /** From when it was due to the head. */
  readonly headMs: number;
  /** The beginning and the end of the body. */
  readonly text: string;
  readonly left: boolean;
}

const PATHS: Readonly<Record<Format, string>> = {
  'openai-chat': '/api/v1/chat/completions',
  'anthropic-messages': '/v1/messages',
};
const KEPT_CHARS = 600;

export function requestBytes(model: string, { key, format, stream, prompt }: LoadCall): Buffer {
  const body = JSON.stringify({ model, max_tokens: 400, stream, messages: [{ role: 'user', content: prompt }] });
  return Buffer.from(
    `POST ${PATHS[format]} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/** Connections to one server; a free one is used again, and calls beyond `max` of them wait. */
export class CallerPool {
  readonly #port: number;
  readonly #max: number;
  readonly #free: Line[] = [];
  readonly #all = new Set<Line>();
  readonly #waiting: ((line: Line) => void)[] = [];

  constructor(url: string, max = Number.POSITIVE_INFINITY) {
    this.#port = Number(new URL(url).port);
    this.#max = max;
  }

  get open(): number {
    return this.#all.size;
  }

  /** `dueMs`: of `performance.now()`. Never rejects. */
  call(
    request: Buffer,
    { stream, leavesAfterMs }: Pick<LoadCall, 'stream' | 'leavesAfterMs'>,
    dueMs: number,
  ): Promise<Outcome> {
    return new Promise((resolve) => {
      this.#withLine((line) => {
        line.begin(request, stream, dueMs, (outcome) => {
          if (!line.isClosed) this.#giveBack(line);
          resolve(outcome);
        });
        if (leavesAfterMs !== undefined) setTimeout(() => line.leave(), leavesAfterMs);
      });
    });
  }

  close(): void {
    for (const line of this.#all) line.close();
  }

  #withLine(use: (line: Line) => void): void {
    const free = this.#free.pop();
    if (free !== undefined) use(free);
    else if (this.#all.size < this.#max) use(this.#openLine());
    else this.#waiting.push(use);
  }

  #giveBack(line: Line): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free.push(line);
    else next(line);
  }

  #openLine(): Line {
    const line = new Line(connect({ host: '127.0.0.1', port: this.#port, noDelay: true }), () => {
      this.#all.delete(line);
      const at = this.#free.indexOf(line);
      if (at !== -1) this.#free.splice(at, 1);
      const next = this.#waiting.shift();
      if (next !== undefined) next(this.#openLine());
    });
    this.#all.add(line);
    return line;
  }
}

/** One connection, one call at a time. */
class Line {
  readonly #socket: Socket;
  isClosed = false;
  #done: ((outcome: Outcome) => void) | null = null;
  #dueMs = 0;
  #stream = false;
  #status = 0;
  #headMs = 0;
  #text = '';
  #left = false;

  constructor(socket: Socket, closed: () => void) {
    this.#socket = socket;
    const reader = new AnswerReader({
      head: (status) => {
        this.#status = status;
        this.#headMs = performance.now() - this.#dueMs;
      },
      body: (bytes) => {
        const text = this.#text + bytes.toString('latin1');
        this.#text = text.length > 2 * KEPT_CHARS ? text.slice(0, KEPT_CHARS) + text.slice(-KEPT_CHARS) : text;
      },
      end: () => this.#end(true),
    });
    socket.on('data', (packet: Buffer) => {
      // What still comes to a caller that has left is nothing to it.
      if (this.#done !== null) reader.push(packet);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isClosed = true;
      closed();
      this.#end(false);
    });
    socket.on('end', () => {
      this.isClosed = true;
    });
  }

  begin(request: Buffer, stream: boolean, dueMs: number, done: (outcome: Outcome) => void): void {
    this.#done = done;
    this.#dueMs = dueMs;
    this.#stream = stream;
    this.#status = 0;
    this.#headMs = 0;
    this.#text = '';
    this.#left = false;
    this.#socket.write(request);
  }

  leave(): void {
    if (this.#done === null) return;
    this.#left = true;
    this.close();
  }

  close(): void {
    this.isClosed = true;
    this.#socket.destroy();
  }

  #end(whole: boolean): void {
    const done = this.#done;
    this.#done = null;
    if (done === null) return;
    const isComplete = !this.#stream || this.#status !== 200 || /\[DONE\]|message_stop/.test(this.#text);
    done({
      status: this.#status,
      whole: whole && isComplete,
      ms: performance.now() - this.#dueMs,
      headMs: this.#headMs,
      text: this.#text,
      left: this.#left,
    });
  }
}

/** The value below which this part of the values lies; `NaN` without any. */
export function quantile(values: readonly number[], part: number): number {
  const ascending = values.toSorted((one, other) => one - other);
  return ascending[Math.min(ascending.length - 1, Math.floor(part * ascending.length))] ?? Number.NaN;
}
