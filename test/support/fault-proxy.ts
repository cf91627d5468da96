/**
 * A TCP proxy on loopback that makes a good server's connection bad, with the verbs of Toxiproxy: https://github.com/Shopify/toxiproxy
 * A fault holds for connections that are opened after it, in one direction or in both, until it is removed. Time is the clock's.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { type Clock, systemClock, type Timer } from '../../src/core/clock.ts';

/** What happens to the bytes of a direction. Several may hold at once; bytes go through them in the order in which they were added. */
export type Toxic =
  /** Every byte comes this much later. */
  | { readonly verb: 'latency'; readonly ms: number }
  /** At most so many bytes a second. */
  | { readonly verb: 'bandwidth'; readonly bytesPerSecond: number }
  /** The end of the connection comes this much later. */
  | { readonly verb: 'slow_close'; readonly ms: number }
  /** Nothing passes, and the connection ends after this time; 0: never. */
  | { readonly verb: 'timeout'; readonly ms: number }
  /** The connection is reset this long after it was opened. */
  | { readonly verb: 'reset_peer'; readonly ms: number }
  /** Pieces of so many bytes, with a pause between them. */
  | { readonly verb: 'slicer'; readonly bytes: number; readonly ms: number }
  /** After so many bytes the connection ends. */
  | { readonly verb: 'limit_data'; readonly bytes: number };

/** `upstream`: what the client sends. `downstream`: what the server answers. */
export type Direction = 'upstream' | 'downstream';

export interface FaultProxy {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  /** Connections that are open. */
  readonly open: number;
  add(direction: Direction, toxic: Toxic): void;
  /** New connections are good again. */
  clear(): void;
  close(): Promise<void>;
}

export async function startFaultProxy(serverOrigin: string, clock: Clock = systemClock): Promise<FaultProxy> {
  const serverPort = Number(new URL(serverOrigin).port);
  const toxics: { direction: Direction; toxic: Toxic }[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const own = (socket: Socket) => {
    sockets.add(socket);
    // A reset is part of what is tested; 'close' follows it.
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer({ noDelay: true, allowHalfOpen: true, pauseOnConnect: true }, (client) => {
    const onward = connect({ port: serverPort, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
    own(client);
    own(onward);
    connections += 1;
    client.on('close', () => {
      connections -= 1;
      onward.destroy();
    });
    // One that ended has said so through the stages, which may still hold what came before.
    onward.on('close', () => void (onward.readableEnded || client.destroy()));
    const of = (wanted: Direction) => toxics.filter(({ direction }) => direction === wanted).map(({ toxic }) => toxic);
    const link = { client, reset: () => client.resetAndDestroy() };
    pass(client, onward, of('upstream'), link, clock);
    pass(onward, client, of('downstream'), link, clock);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get open() {
      return connections;
    },
    add(direction, toxic) {
      toxics.push({ direction, toxic });
    },
    clear() {
      toxics.length = 0;
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

interface Link {
  readonly client: Socket;
  reset(): void;
}

/** A step of a direction: takes bytes and the end, and passes them on, now or later. */
interface Stage {
  data(bytes: Buffer): void;
  end(): void;
}

function pass(from: Socket, to: Socket, toxics: readonly Toxic[], link: Link, clock: Clock): void {
  let stage: Stage = {
    data: (bytes) => void (to.destroyed || to.write(bytes)),
    end: () => void to.end(),
  };
  for (const toxic of toxics.toReversed()) stage = STAGES[toxic.verb](toxic as never, stage, link, clock);
  from.on('data', (bytes: Buffer) => stage.data(bytes));
  from.on('end', () => stage.end());
  // What waits in a stage is bounded by what a test sends.
  from.resume();
}

type MakeStage<Verb extends Toxic['verb']> = (
  toxic: Extract<Toxic, { verb: Verb }>,
  next: Stage,
  link: Link,
  clock: Clock,
) => Stage;

const STAGES: { readonly [Verb in Toxic['verb']]: MakeStage<Verb> } = {
  latency({ ms }, next, link, clock) {
    const later = laterOn(link, clock);
    return { data: (bytes) => later(ms, () => next.data(bytes)), end: () => later(ms, () => next.end()) };
  },
  bandwidth({ bytesPerSecond }, next, link, clock) {
    const tickMs = 50;
    const perTick = Math.max(1, Math.round((bytesPerSecond * tickMs) / 1000));
    return inPieces(perTick, tickMs, next, link, clock);
  },
  slow_close({ ms }, next, link, clock) {
    const later = laterOn(link, clock);
    return { data: (bytes) => next.data(bytes), end: () => later(ms, () => next.end()) };
  },
  timeout({ ms }, _next, link, clock) {
    if (ms > 0) laterOn(link, clock)(ms, () => link.client.destroy());
    return { data: () => undefined, end: () => undefined };
  },
  reset_peer({ ms }, next, link, clock) {
    if (ms === 0) return { data: () => link.reset(), end: () => link.reset() };
    laterOn(link, clock)(ms, () => link.reset());
    return next;
  },
  slicer({ bytes, ms }, next, link, clock) {
    return inPieces(bytes, ms, next, link, clock);
  },
  limit_data({ bytes: limit }, next) {
    let passed = 0;
    return {
      data(bytes) {
        if (passed >= limit) return;
        next.data(bytes.subarray(0, limit - passed));
        passed += bytes.length;
        if (passed >= limit) next.end();
      },
      end: () => next.end(),
    };
  },
};

/** The first piece at once, each further one after `everyMs`. */
function inPieces(size: number, everyMs: number, next: Stage, link: Link, clock: Clock): Stage {
  const later = laterOn(link, clock);
  let waiting: Buffer = Buffer.alloc(0);
  let isEnded = false;
  let isRunning = false;
  const step = (): void => {
    if (waiting.length > 0) next.data(waiting.subarray(0, size));
    waiting = waiting.subarray(size);
    isRunning = waiting.length > 0;
    if (isRunning) later(everyMs, step);
    else if (isEnded) next.end();
  };
  return {
    data(bytes) {
      waiting = Buffer.concat([waiting, bytes]);
      if (!isRunning) step();
    },
    end() {
      isEnded = true;
      if (!isRunning) next.end();
    },
  };
}

/** Runs something later, unless the connection has closed by then. */
function laterOn({ client }: Link, clock: Clock): (ms: number, run: () => void) => void {
  const timers = new Set<Timer>();
  client.on('close', () => {
    for (const timer of timers) timer.cancel();
  });
  return (ms, run) => {
    const timer = clock.after(ms, () => {
      timers.delete(timer);
      run();
    });
    timers.add(timer);
  };
}
