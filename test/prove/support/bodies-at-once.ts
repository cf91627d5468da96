/**
 * Many large bodies at once, whole or stalled before their last byte, from one key: what they take of the gateway's memory,
 * and whether calls of others continue. The gateway is a separate process, whose memory the system accounts for.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createKey } from '../../support/control.ts';
import { residentBytes } from '../../support/process-memory.ts';
import { startGatewayWithUpstream } from '../../support/start-gateway-with-upstream.ts';
import { anthropicBody } from '../../support/upstream-scripts.ts';

export interface BodiesOptions {
  readonly bodies: number;
  readonly bodyBytes: number;
  /** `limits.memoryBytes`. */
  readonly memoryBytes: number;
  readonly stalled: boolean;
  /** Of the gateway. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface BodiesOutcome {
  /** How much the resident memory grew at most, in bytes. */
  readonly grownBytes: number;
  /** Statuses of the large calls, each with how many there were; stalled ones that were not refused have 0. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Small calls of another key, one after the other meanwhile, and how many of them were answered 200. */
  readonly others: { readonly sent: number; readonly served: number };
}

const MIB = 1024 * 1024;
const WARM_UPS = 30;
const CHUNK_BYTES = 256 * 1024;
/** How long bodies stay stalled once each has come as far as it may. */
const STALL_MS = 500;

export async function bodiesAtOnce(options: BodiesOptions): Promise<BodiesOutcome> {
  const bench = await startGatewayWithUpstream(
    { config: { limits: { memoryBytes: options.memoryBytes } }, environment: options.environment ?? {} },
    (exchange) => exchange.whole(200, anthropicBody('served')),
  );
  try {
    const { gateway } = bench;
    const pid = gateway.process.pid ?? 0;
    const other = await createKey(gateway.dataFolder, 'other');
    const small = () =>
      gateway
        .fetch('/v1/messages', {
          method: 'POST',
          body: JSON.stringify({ model: 'scripted/model', max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] }),
          headers: { authorization: `Bearer ${other}`, 'content-type': 'application/json' },
        })
        .then(async (response) => {
          await response.text();
          return response.status;
        });
    for (let call = 0; call < WARM_UPS; call += 1) await small();
    const before = residentBytes(pid);
    const body = largeBody(options.bodyBytes);
    let grownBytes = 0;
    const others = { sent: 0, served: 0 };
    let isOver = false;
    const watching = (async () => {
      while (!isOver) {
        others.sent += 1;
        if ((await small()) === 200) others.served += 1;
        grownBytes = Math.max(grownBytes, residentBytes(pid) - before);
      }
    })();
    const written = meeting(options.bodies);
    const sent = Array.from({ length: options.bodies }, () =>
      send(gateway.url, gateway.key, body, options.stalled ? written : null),
    );
    const statuses: Record<number, number> = {};
    for (const status of await Promise.all(sent)) statuses[status] = (statuses[status] ?? 0) + 1;
    isOver = true;
    await watching;
    return { grownBytes, statuses, others };
  } finally {
    await bench.stop();
  }
}

/** Why the promise does not hold, or null if it does. */
export function bodiesHold(outcome: BodiesOutcome, { memoryBytes }: Pick<BodiesOptions, 'memoryBytes'>): string | null {
  const { grownBytes, statuses, others } = outcome;
  if (grownBytes > 1.2 * memoryBytes) return `memory grew by ${grownBytes} bytes, beyond ${memoryBytes} and a fifth`;
  if (others.served < others.sent || others.sent === 0)
    return `${others.served} of ${others.sent} small calls were served`;
  if ((statuses[503] ?? 0) === 0) return 'no body was refused: they were too few to tell anything';
  if ((statuses[200] ?? 0) + (statuses[0] ?? 0) === 0)
    return 'every large body was refused, though there was memory for some';
  return null;
}

export function describeBodies({ grownBytes, statuses, others }: BodiesOutcome): string {
  const answered = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  return `memory + ${(grownBytes / MIB).toFixed(0)} MiB; large bodies ${answered.join(', ')}; small calls ${others.served} of ${others.sent} served`;
}

function largeBody(bytes: number): Buffer {
  const body = Buffer.alloc(bytes, 'words and more words ');
  const start = '{"model":"scripted/model","max_tokens":9,"messages":[{"role":"user","content":"';
  const end = '"}]}';
  body.write(start);
  body.write(end, bytes - end.length);
  return body;
}

/** A barrier: all wait until the last one does. */
function meeting(places: number): () => Promise<void> {
  let free = places;
  const everybody = Promise.withResolvers<void>();
  return () => {
    free -= 1;
    if (free === 0) everybody.resolve();
    return everybody.promise;
  };
}

/**
 * The status that came back, 0 where none did before the connection was given up. With `allWritten` the last byte is held back,
 * until a while after all others hold theirs back or were refused.
 */
async function send(url: string, key: string, body: Buffer, allWritten: (() => Promise<void>) | null): Promise<number> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  const status = statusOf(socket);
  socket.write(
    `POST /v1/messages HTTP/1.1\r\nHost: a\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  const end = body.length - (allWritten === null ? 0 : 1);
  let isClosed = false;
  let goOn: () => void = () => undefined;
  socket.on('drain', () => goOn());
  socket.on('close', () => {
    isClosed = true;
    goOn();
  });
  for (let at = 0; at < end && !isClosed; at += CHUNK_BYTES) {
    if (socket.write(body.subarray(at, Math.min(at + CHUNK_BYTES, end)))) continue;
    await new Promise<void>((resolve) => {
      goOn = resolve;
      if (isClosed) resolve();
    });
  }
  await allWritten?.();
  const timer = allWritten === null ? null : setTimeout(() => socket.destroy(), STALL_MS);
  const answered = await status;
  if (timer !== null) clearTimeout(timer);
  socket.destroy();
  return answered;
}

function statusOf(socket: Socket): Promise<number> {
  return new Promise((resolve) => {
    socket.once('data', (bytes: Buffer) => resolve(Number(bytes.toString('latin1', 9, 12))));
    socket.once('close', () => resolve(0));
  });
}
