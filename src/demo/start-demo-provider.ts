/**
 * The built-in provider: a real HTTP server on loopback that speaks two dialects like their vendors, and makes vectors in a third, so that a
 * fresh installation answers its first call through every part of the gateway.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../core/clock.ts';
import { anthropicMessages, type DemoDialect, gemini, openaiChat, openaiCompletions } from './dialects.ts';
import { readEmbeddingAsk, readEmbeddingPath } from './gemini/read-embedding.ts';
import { writeEmbedding } from './gemini/write-embedding.ts';
import { newIdentifier } from './identifiers.ts';
import { formOperations, operations, sentOperations } from './openai-chat/operations.ts';
import { PromptCache } from './prompt-cache.ts';
import { readBody } from './read-body.ts';
import { isForm, readForm } from './read-form.ts';
import { Refusal } from './refusal.ts';
import { sendAnswer } from './send-answer.ts';

export interface DemoProvider {
  /** `http://127.0.0.1:<port>` */
  readonly origin: string;
  /** Cuts off running requests and resolves when the port is free. */
  close(): Promise<void>;
}

export interface DemoOptions {
  readonly clock: Clock;
  /** The only accepted credential; any non-empty one if absent. */
  readonly credential?: string;
}

const REQUEST_ID_LENGTH = 24;
/** Longer than any client keeps an idle connection, so that none is closed while it is being used. */
const KEEP_ALIVE_MS = 75_000;

export async function startDemoProvider(options: DemoOptions): Promise<DemoProvider> {
  const cache = new PromptCache(options.clock);
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    void answerRequest(request, response, options, cache);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answerRequest(
  request: IncomingMessage,
  response: ServerResponse,
  options: DemoOptions,
  cache: PromptCache,
): Promise<void> {
  const path = request.url?.split('?', 1)[0] ?? '';
  const vectors = readEmbeddingPath(path);
  const dialect = dialectOf(path, request);
  const manner = vectors === null ? dialect : gemini;
  const requestId = newIdentifier('req_', REQUEST_ID_LENGTH);
  response.setHeader(manner.requestIdHeader, requestId);
  for (const name in manner.headers) response.setHeader(name, manner.headers[name] ?? '');
  try {
    checkCredential(request, options.credential);
    if (path === '/v1/models' && request.method === 'GET') return sendJson(response, 200, dialect.listModels());
    const operation = operations[path];
    const sent = sentOperations[path];
    const ofForm = formOperations[path];
    const isKnown = [operation, sent, ofForm].some((each) => each !== undefined);
    if (!Object.hasOwn(CALLS, path) && vectors === null && !isKnown)
      throw new Refusal(404, 'There is no such address.');
    if (request.method !== 'POST') throw new Refusal(405, 'Only POST is taken here.');
    if (ofForm !== undefined && (sent === undefined || isForm(request)))
      return ofForm(await readForm(request), response);
    const body = await readBody(request);
    if (vectors !== null) return sendJson(response, 200, writeEmbedding(vectors, readEmbeddingAsk(vectors, body)));
    if (operation !== undefined) return sendJson(response, 200, operation(body));
    if (sent !== undefined) return sent(body, response);
    const nowMs = options.clock.now();
    const { ask, answer, writing } = await dialect.answer({ headers: request.headers, body, cache, nowMs });
    await sendAnswer(response, answer, writing, ask.stream, options.clock);
  } catch (error) {
    if (response.destroyed) return;
    if (response.headersSent) return void response.destroy(error as Error);
    // Anything but a refusal is a bug in this program: the message says so, and tests notice it.
    const refusal = error instanceof Refusal ? error : new Refusal(500, `The demo provider failed: ${String(error)}`);
    if (refusal.retryAfterSeconds !== null) response.setHeader('retry-after', String(refusal.retryAfterSeconds));
    sendJson(response, refusal.status, manner.writeRefusal(refusal, requestId));
  }
}

/** By path: what may be streamed. */
const CALLS: Readonly<Record<string, DemoDialect>> = {
  '/v1/chat/completions': openaiChat,
  '/v1/completions': openaiCompletions,
  '/v1/messages': anthropicMessages,
};

/** Both vendors list models at the same path; only Anthropic's clients send a version. */
function dialectOf(path: string, request: IncomingMessage): DemoDialect {
  const dialect = CALLS[path];
  if (dialect !== undefined) return dialect;
  if (path === '/v1/models' && request.headers['anthropic-version'] !== undefined) return anthropicMessages;
  return openaiChat;
}

function checkCredential(request: IncomingMessage, expected: string | undefined): void {
  const bearer = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1];
  const plain = request.headers['x-api-key'] ?? request.headers['x-goog-api-key'];
  const credential = bearer ?? (typeof plain === 'string' && plain !== '' ? plain : undefined);
  if (credential !== undefined && (expected === undefined || credential === expected)) return;
  throw new Refusal(401, 'The credential is missing or wrong.');
}

function sendJson(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}
