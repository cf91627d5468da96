/**
 * Reads or deletes what a provider keeps of an answer. The id is looked up by the project of the key, and passed to the provider that has it,
 * with the credential that made it. An id of another project gets the same answer as an unknown one. Rights and limits are those of a call;
 * it costs nothing and leaves no record.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Catalog } from '../../catalog/model.ts';
import { GatewayError } from '../../core/errors.ts';
import { isRelayDialect } from '../../dialects/index.ts';
import { operations } from '../../operations/index.ts';
import type { Provider } from '../../providers/provider.ts';
import { AnswerTooLarge } from '../../upstream/body-collector.ts';
import type { UpstreamClient } from '../../upstream/client.ts';
import { type EnterCountedPorts, enterCounted } from '../arrival/enter-counted.ts';
import { viaAfter } from '../arrival/hops.ts';
import { judgeAgain } from '../arrival/judge.ts';
import { Call } from '../call.ts';
import { inSteps, type MemoryBudget, memoryOf, UNCOUNTED_BYTES } from '../capacity/memory-budget.ts';
import { checkGoesOn } from '../check-goes-on.ts';
import { type EndPorts, endCall } from '../end/end-call.ts';
import { type ReplyPorts, replyFailure } from '../end/reply-error.ts';
import { sendBody } from '../end/send-body.ts';
import { isEncoded } from '../exchange/answer-head.ts';
import { CredentialEcho, type EchoPorts } from '../exchange/credential-echo.ts';
import { failureOf } from '../exchange/failed-attempt.ts';
import { readRefusal } from '../exchange/read-refusal.ts';
import type { Identified } from '../phases.ts';
import { ANY, findHolder, type HolderPorts } from './holder.ts';
import { makerNotAllowed, mayUseMaker } from './may-use-maker.ts';
import { queryToPass } from './query-to-pass.ts';
import type { Keeper, StoredAnswers } from './stored-answers.ts';
import type { StoredRequest } from './stored-routes.ts';

export type StoredPorts = EnterCountedPorts &
  EchoPorts &
  ReplyPorts &
  EndPorts &
  HolderPorts & {
    readonly stored: Pick<StoredAnswers, 'find' | 'forget'>;
    readonly catalog: Catalog;
    readonly providers: ReadonlyMap<string, Provider>;
    readonly upstream: Pick<UpstreamClient, 'request'>;
    readonly memory: MemoryBudget;
    readonly limits: { readonly answerBytesMax: number };
  };

/** Resolves when the caller has its answer or has disconnected; never rejects. */
export async function serveStored(
  ports: StoredPorts,
  asked: StoredRequest,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const call = new Call(asked.dialect, operations.chat, request, response, ports.clock);
  // Refusals are private to the key as well.
  response.setHeader('cache-control', 'no-store');
  try {
    const entered = await enterCounted(ports, call, asked.query);
    if (asked.part === 'cancel') throw notInBackground();
    const query = queryToPass(asked);
    const keeper = await findKeeper(ports, entered, asked.id);
    reply(call, await ask(ports, entered, asked, query, keeper));
  } catch (error) {
    await replyFailure(ports, call, error);
  } finally {
    await endCall(ports, call);
  }
}

/** Provider ids consist of these; anything else could change the meaning of the path. */
const ID = /^[A-Za-z0-9_-]{1,256}$/;
const ANSWER_MS = 30_000;
const ENCODED = 'The provider sent a compressed answer.';
const TOO_LARGE = "The provider's answer is too large.";

async function findKeeper(ports: StoredPorts, call: Identified, id: string): Promise<Keeper> {
  if (!ID.test(id)) throw notFound(id);
  const [keeper = null] = await ports.stored.find(call.key.projectId, [id], ports.clock.now());
  checkGoesOn(call);
  judgeAgain(ports, call);
  if (keeper === null) throw notFound(id);
  if (!mayUseMaker(ports, call, keeper)) throw makerNotAllowed();
  return keeper;
}

async function ask(
  ports: StoredPorts,
  call: Identified,
  { dialect, method, id, part }: StoredRequest,
  query: string,
  keeper: Keeper,
): Promise<Buffer> {
  const holder = findHolder(ports, call, keeper, ports.providers);
  if (holder === null) throw credentialGone(id);
  const { service: provider, own } = holder;
  if (provider === undefined || !provider.keepsAnswers || !isRelayDialect(dialect) || method === 'POST')
    throw notFound(id);
  if (!provider.dialects.includes(dialect.name)) throw notFound(id);
  const chat = provider.route(dialect.name, { operation: 'chat', model: keeper.upstreamModel, stream: false });
  if (chat === null) throw notFound(id);
  const path = `${chat.path}/${id}${part === '' ? '' : `/${part}`}`;
  const route = { ...chat, path, query: [chat.query, query].filter((each) => each !== '').join('&') };
  const number = holder.credential === ANY ? 0 : holder.credential;
  const { headers, secrets } = await provider.sign({ method, route, headers: {}, body: null }, number);
  if (provider.isJudged) headers['via'] = viaAfter(call.request.headers);
  const target = route.query === '' ? path : `${path}?${route.query}`;
  const limits = { timeoutMs: ANSWER_MS, bytesMax: ports.limits.answerBytesMax, grown: countMemory(ports, call) };
  const answer = await ports.upstream
    .request(
      { origin: provider.origin, method, path: target, headers, body: null, isJudged: provider.isJudged },
      limits,
    )
    .catch((error: unknown) => {
      if (error instanceof GatewayError) throw error;
      if (error instanceof AnswerTooLarge) throw new GatewayError('bad_gateway', { message: TOO_LARGE });
      call.connectionFailed(error);
      throw failureOf(error);
    });
  checkGoesOn(call);
  judgeAgain(ports, call);
  const echo = new CredentialEcho(ports, call, provider, secrets);
  const isGone = answer.status === 404;
  // It may still be there, in the account of the credential that made it.
  if (isGone && holder.isSuccessor) throw credentialGone(id);
  if (isGone || (method === 'DELETE' && answer.status === 200)) await ports.stored.forget(call.key.projectId, id);
  if (isGone) throw notFound(id);
  if (answer.status !== 200) throw readRefusal(call, dialect, echo, answer, own);
  // Nothing was asked for in a coding, and nothing can be found in one.
  if (isEncoded(answer.headers)) throw new GatewayError('bad_gateway', { message: ENCODED });
  // Of any length: a response with images in it has megabytes.
  if (echo.isIn(answer.body, 'answer', Number.POSITIVE_INFINITY)) throw new GatewayError('bad_gateway');
  return answer.body;
}

/** Counts a large response like any answer: a read costs nothing, so nothing else limits how many there are at a time. */
function countMemory({ memory }: StoredPorts, call: Identified): (bytes: number) => void {
  let counted = UNCOUNTED_BYTES;
  return (bytes) => {
    if (bytes <= counted) return;
    const wanted = inSteps(bytes);
    memoryOf(call, memory).takeForAnswer(wanted - counted);
    counted = wanted;
  };
}

function notFound(id: string): GatewayError {
  const shown = ID.test(id) ? `'${id}'` : 'of that name';
  return new GatewayError('response_not_found', { message: `Response with id ${shown} not found.` });
}

function credentialGone(id: string): GatewayError {
  return new GatewayError('response_not_found', {
    message: `Response with id '${id}' is kept for a credential that was removed or replaced since, and no other one reaches it.`,
  });
}

function notInBackground(): GatewayError {
  return new GatewayError('unsupported_value', {
    message:
      'Only answers that are made in the background can be cancelled, and this gateway makes none. To stop a stream, close it.',
  });
}

function reply(call: Call, body: Buffer): void {
  call.status = 200;
  call.responseBytes = body.length;
  const headers = [...call.idHeaders(), 'content-type', 'application/json', 'content-length', String(body.length)];
  headers.push('x-content-type-options', 'nosniff');
  if (!call.request.complete) headers.push('connection', 'close');
  call.response.writeHead(200, headers);
  sendBody(call.response, body);
}
