/**
 * A request under an idempotency key: it is made once, and sent again within a day its caller is given
 * the first answer again. Whoever sends no such key passes by.
 */
import { assert } from '../../core/assert.ts';
import { generationId } from '../../core/ids.ts';
import type { Ending } from '../../core/settlement.ts';
import { readIdempotencyKey } from '../../replay/idempotency-key.ts';
import type { Call } from '../call.ts';
import { memoryOf, UNCOUNTED_BYTES } from '../capacity/memory-budget.ts';
import { sendBody } from '../end/send-body.ts';
import type { Gateway } from '../gateway.ts';
import { checkGoesOn } from '../goes-on.ts';

export function hasIdempotencyKey(call: Call): boolean {
  return call.request.headers['idempotency-key'] !== undefined;
}

/**
 * Resolves to true when the caller was given the first answer again. Throws `GatewayError` 400 for a key that is
 * none, 409 while the first call runs or where no answer of it is kept, and 422 for another request under the same key.
 */
export async function replayed(gateway: Gateway, call: Call): Promise<boolean> {
  const { key, inbound, peek } = call;
  assert(key !== null && inbound !== null && peek !== null, 'a request is replayed once it is read');
  const idempotencyKey = readIdempotencyKey(call.request.rawHeaders);
  if (idempotencyKey === null) return false;
  const begun = await gateway.replays.begin({
    projectId: key.projectId,
    idempotencyKey,
    route: call.dialect.name,
    body: inbound.document.bytes,
    streamed: peek.stream,
    callId: call.id,
    nowMs: gateway.clock.now(),
  });
  if (begun.type === 'new') {
    call.replay = begun.ticket;
    checkGoesOn(call);
    return false;
  }
  gateway.running.waitsAgain(call);
  const body = await begun.read();
  checkGoesOn(call);
  // It stays until its caller has taken it, which nobody has paid for.
  if (body.length > UNCOUNTED_BYTES) memoryOf(call, gateway.memory).take(body.length);
  call.status = 200;
  call.responseBytes = body.length;
  call.response.writeHead(200, [
    call.dialect.requestIdHeader,
    call.requestId,
    'x-generation-id',
    generationId(begun.callId),
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

/** Whether the key of a call stays taken after it: its answer, or most of it, has reached the caller. */
export function staysTaken(call: Call, ending: Ending): boolean {
  if (ending === 'complete' || ending === 'empty') return true;
  return call.peek?.stream === true && call.responseBytes > 0 && (ending === 'caller_left' || ending === 'caller_slow');
}
