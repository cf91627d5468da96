/**
 * A provider for thousands of calls a minute: it answers in chat completions and Messages, whole after a while or as a stream with
 * a pause before each piece, as the prompt says, and keeps nothing but counts.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { childEnvironment } from '../../../support/child-environment.ts';
import { anthropicBody, anthropicFrames, openaiBody, openaiFrames } from '../../../support/upstream-scripts.ts';
import { pause } from './pause.ts';

export interface PacedProvider {
  readonly origin: string;
  readonly pid: number;
  /** Requests so far, and connections that are open now. */
  counts(): Promise<{ readonly requests: number; readonly connections: number }>;
  close(): Promise<void>;
}

/** Pieces of an answer and the pause before each, ms. A whole answer takes as long as the stream would. */
export interface Pace {
  readonly pieces: number;
  readonly pauseMs: number;
}

/** What a caller writes as its prompt. */
export function promptOf({ pieces, pauseMs }: Pace): string {
  return `#${pieces}x${pauseMs}#`;
}

export const LOAD_MODEL = 'load/model';

/** An entry of `providers`, at 1 USD a million tokens in and `output` out. */
export function loadProvider(origin: string, output = 5): object {
  return {
    name: 'load',
    kind: 'custom',
    origin,
    credential: 'credential-of-the-provider',
    dialects: ['openai-chat', 'anthropic-messages'],
    models: [{ id: LOAD_MODEL, upstream: 'load-1', prices: { input: 1, output }, outputCap: 10_000 }],
  };
}

/** A process of its own, so that whoever makes the calls does not delay the answers. */
export async function startPacedProvider(): Promise<PacedProvider> {
  const child = fork(import.meta.filename, { env: childEnvironment(), stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  const [port] = (await once(child, 'message')) as [number];
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    pid: child.pid ?? 0,
    async counts() {
      const response = await fetch(`${origin}/counts`, { headers: { connection: 'close' } });
      return (await response.json()) as { requests: number; connections: number };
    },
    async close() {
      child.disconnect();
      await exited;
    },
  };
}

async function serve(): Promise<void> {
  let requests = 0;
  const server = createServer((request, response) => {
    if (request.url === '/counts') {
      server.getConnections((_error, connections) =>
        // Without the one that asks.
        response.end(JSON.stringify({ requests, connections: connections - 1 })),
      );
      return;
    }
    requests += 1;
    answer(request, response).catch(() => response.destroy());
  });
  server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 });
  await once(server, 'listening');
  process.on('disconnect', () => process.exit(0));
  process.send?.((server.address() as AddressInfo).port);
}

const PACE = /#(\d{1,6})x(\d{1,6})#/;
const STREAMED = /"stream": ?true/;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const bytes of request) body += bytes;
  const [, pieces = '1', pauseMs = '0'] = PACE.exec(body) ?? [];
  const pace = { pieces: Number(pieces), pauseMs: Number(pauseMs) };
  const isMessages = request.url?.endsWith('/messages') === true;
  if (STREAMED.test(body)) return stream(response, isMessages, pace);
  await pause(pace.pieces * pace.pauseMs);
  response.setHeader('content-type', 'application/json');
  response.end(isMessages ? anthropicBody('word', 'load-1') : openaiBody('word', 'load-1'));
}

async function stream(response: ServerResponse, isMessages: boolean, { pieces, pauseMs }: Pace): Promise<void> {
  response.setHeader('content-type', 'text/event-stream');
  const words = Array.from({ length: pieces }, () => 'word ');
  const frames = isMessages ? anthropicFrames(words, 'load-1') : openaiFrames(words, 'load-1');
  for (const frame of frames) {
    if (response.destroyed) return;
    if (frame.includes('word ')) await pause(pauseMs);
    response.write(frame);
  }
  response.end();
}

if (import.meta.main) await serve();
