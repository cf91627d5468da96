/**
 * The load generator: raw sockets, requests made once, answers checked for status, length and end.
 * Whatever is unexpected throws, with the subject's own message: a fast refusal must never be
 * taken for a fast answer.
 */

import { connect, type Socket } from 'node:net';
import { callerModel, requestBody, type Scenario, translatedModel, upstreamModel } from '../bodies.ts';
import { type Asked, type DialectName, MESSAGES } from '../dialects.ts';
import type { Subject } from '../subject.ts';
import { AnswerReader } from './answer-reader.ts';

/** Whether the backend speaks the format of the caller. */
export type Lane = 'relay' | 'translate';

/** A whole HTTP request as bytes. */
export function requestBytes(subject: Subject, dialect: DialectName, scenario: Scenario, lane: Lane = 'relay'): Buffer {
  // A subject that edits nothing has no second lane: the same call goes through it.
  const translated = lane === 'translate' && subject.editsModel;
  const model = translated ? translatedModel(dialect, scenario) : callerModel(dialect, scenario);
  return withHead(subject, dialect, requestBody(dialect, scenario, model), { model, stream: scenario !== 'whole' });
}

/** `asked` matters only for a format that has it in its path. */
export function withHead(subject: Subject, dialect: DialectName, body: Buffer, asked = NOTHING_ASKED): Buffer {
  const vendorHeaders = dialect === MESSAGES ? 'anthropic-version: 2023-06-01\r\n' : '';
  const head =
    `POST ${subject.path(dialect, asked)} HTTP/1.1\r\nhost: 127.0.0.1:${subject.port}\r\n` +
    `authorization: Bearer ${subject.key}\r\ncontent-type: application/json\r\naccept: */*\r\n` +
    `user-agent: bench\r\n${vendorHeaders}content-length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

const NOTHING_ASKED: Asked = { model: '', stream: false };

/** What one answer contained. */
export interface Answered {
  readonly status: number;
  readonly bodyBytes: number;
  /** How many times bytes of the body arrived: near the number of chunks if none were merged. */
  readonly pieces: number;
  /** The body's first piece. */
  readonly beginning: Buffer;
}

/** One keep-alive connection; one call at a time. */
export class Connection {
  readonly #socket: Socket;
  #done: ((answered: Answered) => void) | null = null;
  #begun: ((status: number) => void) | null = null;
  #fail: (error: Error) => void = () => {};
  #status = 0;
  #bodyBytes = 0;
  #pieces = 0;
  #beginning: Buffer = EMPTY;

  private constructor(socket: Socket) {
    this.#socket = socket;
    const reader = new AnswerReader({
      head: (status) => {
        this.#status = status;
      },
      body: (bytes) => {
        if (this.#pieces === 0) {
          this.#beginning = bytes;
          this.#begun?.(this.#status);
        }
        this.#pieces += 1;
        this.#bodyBytes += bytes.length;
      },
      end: () => this.#end(),
    });
    socket.on('data', (packet: Buffer) => {
      try {
        reader.push(packet);
      } catch (error) {
        this.#fail(error as Error);
      }
    });
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the subject closed a connection in the middle of an answer')));
  }

  static open(port: number, localAddress?: string): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const address = { host: '127.0.0.1', port, noDelay: true };
      const socket = connect(localAddress === undefined ? address : { ...address, localAddress });
      socket.once('error', reject);
      socket.once('connect', () => {
        socket.off('error', reject);
        resolve(new Connection(socket));
      });
    });
  }

  /** Resolves at the end of the answer; `begun` is called with the body's first bytes. */
  call(request: Buffer, begun: ((status: number) => void) | null = null): Promise<Answered> {
    return new Promise((resolve, reject) => {
      this.start(request, begun, resolve, reject);
    });
  }

  /** `call` without the promises, for the measures that count microseconds. */
  start(
    request: Buffer,
    begun: ((status: number) => void) | null,
    done: (answered: Answered) => void,
    fail: (error: Error) => void,
  ): void {
    this.#done = done;
    this.#begun = begun;
    this.#fail = fail;
    this.#pieces = 0;
    this.#bodyBytes = 0;
    // A close is not reported twice, and then nothing would ever arrive.
    if (this.#socket.destroyed) return fail(new Error('the subject closed a connection between two calls'));
    this.#socket.write(request);
  }

  close(): void {
    this.#fail = () => {};
    this.#socket.destroy();
  }

  #end(): void {
    const done = this.#done;
    this.#done = null;
    this.#fail = () => {};
    done?.({
      status: this.#status,
      bodyBytes: this.#bodyBytes,
      pieces: this.#pieces,
      beginning: this.#beginning,
    });
  }
}

export async function openConnections(port: number, count: number): Promise<Connection[]> {
  const connections: Connection[] = [];
  for (let index = 0; index < count; index += 1) connections.push(await Connection.open(port));
  return connections;
}

/** Makes `calls` calls over the connections, each sending its next as soon as it has its answer. */
export function callRepeatedly(
  connections: readonly Connection[],
  request: Buffer,
  calls: number,
  check: (answered: Answered) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let started = 0;
    let finished = 0;
    const next = (connection: Connection) => {
      if (started === calls) return;
      started += 1;
      connection.start(
        request,
        null,
        (answered) => {
          try {
            check(answered);
          } catch (error) {
            reject(error);
            return;
          }
          finished += 1;
          if (finished === calls) resolve();
          else next(connection);
        },
        reject,
      );
    };
    for (const connection of connections) next(connection);
  });
}

/** Throws unless the answer is a success of at least this many bytes. */
export function expectSuccess(subject: Subject, answered: Answered, bodyBytesMin: number): void {
  if (answered.status === 200 && answered.bodyBytes >= bodyBytesMin) return;
  throw new Error(
    `${subject.name} answered ${answered.status} with ${answered.bodyBytes} bytes: ` +
      answered.beginning.toString('latin1', 0, 300),
  );
}

/** One call before the measure: correct status, and the model name that this subject promises. */
export async function checkAnswer(subject: Subject, dialect: DialectName, scenario: Scenario): Promise<void> {
  const connection = await Connection.open(subject.port);
  try {
    const answered = await connection.call(requestBytes(subject, dialect, scenario));
    expectSuccess(subject, answered, 100);
    const name = subject.editsModel ? callerModel(dialect, scenario) : upstreamModel(scenario);
    // Google's field is `modelVersion`.
    if (!answered.beginning.includes(`":"${name}"`)) {
      throw new Error(
        `${subject.name} does not name the model ${name}: ${answered.beginning.toString('latin1', 0, 300)}`,
      );
    }
  } finally {
    connection.close();
  }
}

const EMPTY = Buffer.alloc(0);
