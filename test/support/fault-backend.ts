/**
 * A provider whose model names say how it fails: `fault:reset@3` resets after three frames, `fault:status@503` refuses. It answers in the
 * format of each request. And two addresses that fail before there is a request: nobody listens, and nobody accepts.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import type { ProviderDialectName } from '../../src/dialects/index.ts';
import { faultScript } from './fault-scripts.ts';
import { type Exchange, type Script, type ScriptedUpstream, startScriptedUpstream } from './scripted-upstream.ts';

export const FAULT_PREFIX = 'fault:';

/** Serves models named `fault:<fault>`, with `play` like any scripted provider. Any other model gets a good answer. */
export function startFaultBackend(clock: Clock = systemClock): Promise<ScriptedUpstream> {
  return startScriptedUpstream(byModelName(clock));
}

/** The script of the fault that the request's model names. */
export function byModelName(clock: Clock = systemClock): Script {
  return (exchange) => {
    const { format, model, streamed } = asked(exchange);
    const spec = model.startsWith(FAULT_PREFIX) ? model.slice(FAULT_PREFIX.length) : 'none';
    return faultScript(spec, format, streamed, clock)(exchange);
  };
}

export interface Asked {
  readonly format: ProviderDialectName;
  readonly model: string;
  readonly streamed: boolean;
}

/** The format of a request, its model, and whether a stream is wanted: in the body, or in the path. */
export function asked(exchange: Exchange): Asked {
  const path = decodeURIComponent(exchange.request.startLine.split(' ')[1] ?? '');
  const google = /\/models\/(.+):(stream)?generateContent/i.exec(path);
  if (google !== null) return { format: 'gemini', model: google[1] ?? '', streamed: google[2] !== undefined };
  const amazon = /\/model\/(.+)\/converse(-stream)?/.exec(path);
  if (amazon !== null) return { format: 'bedrock-converse', model: amazon[1] ?? '', streamed: amazon[2] !== undefined };
  const { model, stream } = exchange.json;
  return { format: formatOf(path), model: String(model), streamed: stream === true };
}

function formatOf(path: string): ProviderDialectName {
  if (path.includes('/messages')) return 'anthropic-messages';
  return path.includes('/responses') ? 'openai-responses' : 'openai-chat';
}

/** An address at which connections are refused. */
export async function refusingOrigin(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

export interface BlackHole {
  readonly origin: string;
  close(): Promise<void>;
}

/** More than a backlog of one holds. */
const FILLERS = 4;
/** A filler that has not connected by then never will. */
const FILLED_AFTER_MS = 150;

/**
 * An address at which connections are neither accepted nor refused: its backlog is full, and the thread that should empty it waits. The
 * kernel then drops whatever else asks to connect, as a firewall would.
 */
export async function openBlackHole(clock: Clock = systemClock): Promise<BlackHole> {
  const shared = new SharedArrayBuffer(4);
  const thread = new Worker(LISTENS_AND_WAITS, { eval: true, workerData: shared });
  const [port] = (await once(thread, 'message')) as [number];
  const fillers: Socket[] = [];
  let connected = 0;
  for (let opened = 0; opened < FILLERS; opened += 1) {
    const filler = connect(port, '127.0.0.1', () => (connected += 1));
    filler.on('error', () => undefined);
    fillers.push(filler);
  }
  await new Promise<void>((filled) => clock.after(FILLED_AFTER_MS, filled));
  if (connected === FILLERS) throw new Error('the backlog did not fill');
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      for (const filler of fillers) filler.destroy();
      Atomics.store(new Int32Array(shared), 0, 1);
      Atomics.notify(new Int32Array(shared), 0);
      await thread.terminate();
    },
  };
}

const LISTENS_AND_WAITS = `
  const { parentPort, workerData } = require('node:worker_threads');
  const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    // Not in this turn: the message has to leave first.
    setImmediate(() => Atomics.wait(new Int32Array(workerData), 0, 0));
  });
`;
