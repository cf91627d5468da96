/**
 * Makes, lists, shows and cancels batches of a project. Rights and limits are those of a call, with a permission of their own; it costs nothing and
 * leaves no record. A batch of another project gets the same answer as an unknown one.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BatchCounts, CallersBatches } from '../../batches/callers-batches.ts';
import { GatewayError } from '../../core/errors.ts';
import { defaultCallerDialect } from '../../dialects/index.ts';
import type { SpaceLimits } from '../../files/callers-files.ts';
import { operations } from '../../operations/index.ts';
import type { BodyPorts } from '../arrival/body-reader.ts';
import { type EnterCountedPorts, enterCounted } from '../arrival/enter-counted.ts';
import { judgeAgain } from '../arrival/judge.ts';
import { readBody } from '../arrival/read-body.ts';
import { Call } from '../call.ts';
import { checkGoesOn } from '../check-goes-on.ts';
import { type EndPorts, endCall } from '../end/end-call.ts';
import { type ReplyPorts, replyFailure } from '../end/reply-error.ts';
import { sendBody } from '../end/send-body.ts';
import type { Identified } from '../phases.ts';
import { batchObject, listObject } from './batch-object.ts';
import type { BatchRequest } from './batch-routes.ts';
import { readBatch, readBatchPage } from './read-batch.ts';

export type BatchPorts = EnterCountedPorts &
  ReplyPorts &
  EndPorts &
  BodyPorts & {
    readonly batches: Pick<CallersBatches, 'create' | 'find' | 'list' | 'cancel'>;
    readonly batchLimits: BatchCounts;
    readonly limits: SpaceLimits;
  };

/** Resolves when the caller has its answer or has disconnected; never rejects. */
export async function serveBatches(
  ports: BatchPorts,
  asked: BatchRequest,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const call = new Call(defaultCallerDialect, operations.chat, request, response, ports.clock, 'batches');
  // Refusals are private to the key as well.
  response.setHeader('cache-control', 'no-store');
  try {
    const entered = await enterCounted(ports, call, asked.query);
    const answer = await answerTo(ports, entered, asked);
    checkGoesOn(call);
    judgeAgain(ports, entered);
    reply(entered, answer);
  } catch (error) {
    await replyFailure(ports, call, error);
  } finally {
    await endCall(ports, call);
  }
}

async function answerTo(ports: BatchPorts, call: Identified, { action, id, query }: BatchRequest): Promise<object> {
  const { batches } = ports;
  const { projectId } = call.key;
  switch (action) {
    case 'create':
      return batchObject(await create(ports, call));
    case 'list':
      return listObject(await batches.list(projectId, readBatchPage(query)));
    case 'cancel':
      return batchObject(await batches.cancel(projectId, id));
    default:
      return batchObject(await batches.find(projectId, id));
  }
}

async function create(ports: BatchPorts, call: Identified) {
  if (call.request.headers['idempotency-key'] !== undefined)
    throw new GatewayError('unsupported_value', {
      message: 'An Idempotency-Key cannot be used with a batch: send the request without it.',
      param: 'idempotency-key',
    });
  const asked = readBatch(await readBody(ports, call));
  checkGoesOn(call);
  judgeAgain(ports, call);
  const { id: keyId, accountId, projectId } = call.key;
  const address = ports.clientAddress(call.request);
  const limits = { ...ports.batchLimits, ...ports.limits };
  return ports.batches.create({ ...asked, keyId, accountId, projectId, address }, limits);
}

function reply(call: Call, value: object): void {
  const body = Buffer.from(JSON.stringify(value));
  call.status = 200;
  call.countSent(body);
  const headers = [...call.idHeaders(), 'content-type', 'application/json', 'content-length', String(body.length)];
  headers.push('x-content-type-options', 'nosniff');
  if (!call.request.complete) headers.push('connection', 'close');
  call.response.writeHead(200, headers);
  sendBody(call.response, body);
}
