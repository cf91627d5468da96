/** Errors for a request that was sent again and cannot be answered from a stored answer. */
import { GatewayError } from '../core/errors.ts';
import { type CallId, generationId } from '../core/ids.ts';

/** 409, retryable: the first call has not ended. */
export function inFlight(callId: CallId): GatewayError {
  return new GatewayError('idempotency_in_flight', {
    message: `A call with this Idempotency-Key (${generationId(callId)}) is still running.`,
    retryAfterSeconds: 1,
    facts: factsOf(callId),
  });
}

/** 422: the first call was another request. */
export function mismatch(callId: CallId): GatewayError {
  return new GatewayError('idempotency_mismatch', {
    message: `This Idempotency-Key was used with a different request (${generationId(callId)}); send a new key.`,
    facts: factsOf(callId),
  });
}

/** 409: a stream cannot be replayed. */
export function streamed(callId: CallId): GatewayError {
  return new GatewayError('idempotency_streamed', {
    message: `The answer to this Idempotency-Key was streamed as ${generationId(callId)}; streams are not stored.`,
    facts: { ...factsOf(callId), reason: 'streamed' },
  });
}

/** 409 with the same code: the call was served, but its answer was not stored. */
export function notKept(callId: CallId): GatewayError {
  const answer = `The answer to this Idempotency-Key (${generationId(callId)})`;
  return new GatewayError('idempotency_streamed', {
    message: `${answer} was not stored: it is larger than 1 MiB, or there was no room left.`,
    facts: { ...factsOf(callId), reason: 'not_kept' },
  });
}

/** 503: a line of a batch waits until other nodes can be asked whether they have it. */
export function claimsAway(): GatewayError {
  return new GatewayError('ledger_unavailable', {
    message: 'Whether another node has this line cannot be known right now.',
    retryAfterSeconds: 5,
  });
}

/** The stored answer is damaged, or belongs to another row. */
export function unreadable(callId: CallId, cause: unknown): GatewayError {
  return new GatewayError('internal_error', {
    message: `The answer stored for this Idempotency-Key (${generationId(callId)}) cannot be read.`,
    facts: factsOf(callId),
    cause,
  });
}

function factsOf(callId: CallId) {
  return { generation_id: generationId(callId) };
}
