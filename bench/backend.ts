/**
 * The backend of every measure: a raw TCP server that speaks just enough HTTP/1.1 to play a
 * provider, with all answers made at start, so that its core has time left for the load generator.
 * The model's name says what to do (see `Scenario`). A request it does not understand ends its
 * connection, which the load generator reports as a failure.
 *
 * Run as a program it listens on a free loopback port and prints the number.
 */

import { createServer, type Server, type Socket } from 'node:net';
import { pacedChunks, pacedIntervalMs, type Scenario, scenarios, streamEvents, wholeAnswer } from './bodies.ts';
import { CHAT, type DialectName, dialects, GEMINI, MESSAGES, pathStart, RESPONSES } from './dialects.ts';

const STREAM_HEAD =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ncache-control: no-cache\r\n' +
  'transfer-encoding: chunked\r\nx-request-id: req-upstream-1\r\n\r\n';
/** The model's name is within this many bytes of the start of a body. */
const PREFIX_BYTES = 1024;
const LISTEN_BACKLOG = 4096;
const NOTHING = Buffer.alloc(0);

export interface Pacing {
  readonly chunks: number;
  readonly intervalMs: number;
}

export function openBackend(pacing: Pacing = { chunks: pacedChunks, intervalMs: pacedIntervalMs }): Server {
  const pacer = openPacer(pacing);
  const answers = prepareAnswers();
  return createServer({ noDelay: true }, (socket) => serveConnection(socket, answers, pacer));
}

type Answers = Readonly<Record<DialectName, Readonly<Record<Scenario, Answer>>>>;

/** Packets, as they are written to the socket. */
interface Answer {
  readonly opening: Buffer;
  /** In turn. */
  readonly repeated: readonly Buffer[];
  readonly closing: Buffer;
}

function serveConnection(socket: Socket, answers: Answers, pacer: Pacer): void {
  let received: Buffer | null = null;
  let bodyMissing = 0;
  let scenario: Scenario | null = null;
  let dialect: DialectName | null = null;

  socket.on('data', (packet: Buffer) => {
    if (bodyMissing > 0 && scenario !== null) {
      bodyMissing -= packet.length;
    } else {
      received = received === null ? packet : Buffer.concat([received, packet]);
      const bodyStart = received.indexOf('\r\n\r\n', 0, 'latin1') + 4;
      if (bodyStart === 3) return;
      const head = received.toString('latin1', 0, bodyStart).toLowerCase();
      const bodyBytes = contentLength(head);
      bodyMissing = bodyBytes - (received.length - bodyStart);
      if (bodyMissing > 0 && received.length - bodyStart < PREFIX_BYTES) {
        bodyMissing = 0;
        return;
      }
      dialect = dialectOf(head);
      // Gemini's requests have the model in their path.
      scenario =
        dialect === GEMINI
          ? scenarioIn(head.slice(0, head.indexOf('\r\n')))
          : scenarioOf(received.toString('latin1', bodyStart, bodyStart + PREFIX_BYTES));
    }
    if (bodyMissing > 0) return;
    if (bodyMissing < 0 || scenario === null || dialect === null) {
      socket.destroy(new Error('the backend got a request it does not understand'));
      return;
    }
    const answer = answers[dialect][scenario];
    const finished = scenario;
    received = null;
    scenario = null;
    reply(socket, finished, answer, pacer);
  });
  // A caller that leaves is part of the memory measure; its pacing ends with the next write.
  socket.on('error', () => socket.destroy());
}

function reply(socket: Socket, scenario: Scenario, answer: Answer, pacer: Pacer): void {
  socket.write(answer.opening);
  if (scenario === 'paced') pacer.add(socket, answer);
  if (scenario === 'brief') setImmediate(() => socket.write(answer.closing));
}

function contentLength(head: string): number {
  const at = head.indexOf('\r\ncontent-length:');
  return at === -1 ? 0 : Number.parseInt(head.slice(at + 17), 10);
}

function dialectOf(head: string): DialectName | null {
  for (const dialect of dialects) {
    if (head.startsWith(`post ${pathStart(dialect)}`.toLowerCase())) return dialect;
  }
  return null;
}

function scenarioOf(bodyPrefix: string): Scenario | null {
  const start = bodyPrefix.indexOf('"model":"') + 9;
  const name = bodyPrefix.slice(start, bodyPrefix.indexOf('"', start));
  return scenarioIn(name);
}

function scenarioIn(name: string): Scenario | null {
  return scenarios.find((scenario) => name.includes(scenario)) ?? null;
}

function prepareAnswers(): Answers {
  const ofDialect = (dialect: DialectName) => ({
    whole: wholePackets(dialect),
    paced: streamPackets(dialect, 'paced'),
    brief: streamPackets(dialect, 'brief'),
    idle: streamPackets(dialect, 'idle'),
  });
  return {
    [CHAT]: ofDialect(CHAT),
    [MESSAGES]: ofDialect(MESSAGES),
    [RESPONSES]: ofDialect(RESPONSES),
    [GEMINI]: ofDialect(GEMINI),
  };
}

function wholePackets(dialect: DialectName): Answer {
  const body = wholeAnswer(dialect);
  const head =
    'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-request-id: req-upstream-1\r\n' +
    `content-length: ${body.length}\r\n\r\n`;
  return { opening: Buffer.concat([Buffer.from(head), body]), repeated: [], closing: NOTHING };
}

function streamPackets(dialect: DialectName, scenario: Scenario): Answer {
  const events = streamEvents(dialect, scenario);
  return {
    opening: Buffer.concat([Buffer.from(STREAM_HEAD), ...events.opening.map(httpChunk)]),
    repeated: events.repeated.map(httpChunk),
    closing: Buffer.concat([...events.closing.map(httpChunk), Buffer.from('0\r\n\r\n')]),
  };
}

function httpChunk(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

interface Pacer {
  add(socket: Socket, answer: Answer): void;
}

/**
 * Writes to the open streams in turn, a slice of them every millisecond, so that the subject gets
 * single packets and no bursts. After a late tick a stream still gets one chunk, not two: two could
 * merge into one packet and be relayed as one.
 */
function openPacer(pacing: Pacing): Pacer {
  interface Paced {
    readonly socket: Socket;
    readonly answer: Answer;
    chunksLeft: number;
    chunksSent: number;
  }
  const slots: Set<Paced>[] = Array.from({ length: pacing.intervalMs }, () => new Set());
  let added = 0;
  let slotsDone = 0;
  let startMs = 0;
  let timer: NodeJS.Timeout | null = null;

  function tick(): void {
    const slotsDue = Math.floor(performance.now() - startMs);
    slotsDone = Math.max(slotsDone, slotsDue - slots.length);
    for (; slotsDone < slotsDue; slotsDone += 1) {
      const slot = slots[slotsDone % slots.length];
      if (slot === undefined) continue;
      for (const stream of slot) writeNext(slot, stream);
    }
    if (timer !== null && slots.every((slot) => slot.size === 0)) {
      clearInterval(timer);
      timer = null;
    }
  }

  function writeNext(slot: Set<Paced>, stream: Paced): void {
    if (stream.socket.destroyed) {
      slot.delete(stream);
      return;
    }
    if (stream.chunksLeft === 0) {
      slot.delete(stream);
      stream.socket.write(stream.answer.closing);
      return;
    }
    const { repeated } = stream.answer;
    stream.socket.write(repeated[stream.chunksSent % repeated.length] ?? NOTHING);
    stream.chunksLeft -= 1;
    stream.chunksSent += 1;
  }

  return {
    add(socket, answer) {
      slots[added % slots.length]?.add({ socket, answer, chunksLeft: pacing.chunks, chunksSent: 0 });
      added += 1;
      if (timer === null) {
        startMs = performance.now();
        slotsDone = 0;
        timer = setInterval(tick, 1);
      }
    },
  };
}

if (import.meta.main) {
  const server = openBackend();
  server.listen({ host: '127.0.0.1', port: 0, backlog: LISTEN_BACKLOG }, () => {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('the backend has no port');
    process.stdout.write(`listening ${address.port}\n`);
  });
  process.on('SIGTERM', () => process.exit(0));
}
