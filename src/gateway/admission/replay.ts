/**
 * A request with an idempotency key is processed once; if it is sent again within a day, the caller gets the first answer
 * again. So is a line of a batch, which has a name that no caller can send. Other requests are not affected.
 */
import type { Clock } from '../../core/clock.ts';
import { GatewayError } from '../../core/errors.ts';
import { generationId } from '../../core/ids.ts';
import type { Ending } from '../../core/settlement.ts';
import { namesModel } from '../../dialects/interface/caller-path.ts';
import { readIdempotencyKey } from '../../replay/idempotency-key.ts';
import type { ReplayRegistry } from '../../replay/replay-registry.ts';
import { originHeaders } from '../arrival/page-origin.ts';
import type { Call } from '../call.ts';
import { type MemoryBudget, memoryOf, UNCOUNTED_BYTES } from '../capacity/memory-budget.ts';
import type { RunningCalls } from '../capacity/running-calls.ts';
import { checkGoesOn } from '../check-goes-on.ts';
import { sendBody } from '../end/send-body.ts';
import type { Understood } from '../phases.ts';

export interface ReplayPorts {
  readonly clock: Clock;
  readonly replays: Pick<ReplayRegistry, 'begin'>;
  readonly running: Pick<RunningCalls, 'waitsAgain'>;
  readonly memory: MemoryBudget;
}

/** Whether it has an idempotency key, or is the call for a line of a batch. */
export function mayBeRepeated(call: Call): boolean {
  return call.line !== null || call.request.headers['idempotency-key'] !== undefined;
}

/**
 * Resolves to true if the caller was sent the first answer again. Throws `GatewayError` 400 for an invalid key, 409 while the
 * first call runs or if its answer is not stored, and 422 for a different request with the same key.
 */
export async function replayed(ports: ReplayPorts, call: Understood): Promise<boolean> {
  const { key, inbound, peek, dialect, line } = call;
  // What is streamed could not be stored, and what is not stored could be charged twice.
  if (line !== null && peek.stream) throw streamedLine();
  const idempotencyKey = line ?? readIdempotencyKey(call.request.rawHeaders);
  if (idempotencyKey === null) return false;
  const begun = await ports.replays.begin({
    projectId: key.projectId,
    idempotencyKey,
    route: namesModel(dialect.paths[0]) ? inbound.path : dialect.name,
    body: inbound.document.bytes,
    streamed: peek.stream,
    callId: call.id,
    nowMs: ports.clock.now(),
  });
  if (begun.type === 'new') {
    call.replay = begun.ticket;
    call.isReplayOfNode = begun.scope === 'node';
    checkGoesOn(call);
    return false;
  }
  ports.running.waitsAgain(call);
  const body = await begun.read();
  checkGoesOn(call);
  // It stays in memory until the caller has received it, so it is counted.
  if (body.length > UNCOUNTED_BYTES) memoryOf(call, ports.memory).take(body.length);
  call.status = 200;
  call.responseBytes = body.length;
  call.response.writeHead(200, [
    call.dialect.requestIdHeader,
    call.requestId,
    'x-generation-id',
    generationId(begun.callId),
    ...originHeaders(call.readableBy),
    'content-type',
    'application/json',
    'content-length',
    String(body.length),
    'idempotent-replayed',
    'true',
  ]);
  sendBody(call.response, body);
  return true;
}

function streamedLine(): GatewayError {
  return new GatewayError('unsupported_value', {
    message: 'A request of a batch cannot be streamed: its answer is a line of a file.',
    param: 'stream',
  });
}

/** Whether the idempotency key stays used after the call: its answer, or part of it, has reached the caller. */
export function staysTaken(call: Call, ending: Ending): boolean {
  if (ending === 'complete' || ending === 'empty') return true;
  return call.peek?.stream === true && call.responseBytes > 0 && (ending === 'caller_left' || ending === 'caller_slow');
}
