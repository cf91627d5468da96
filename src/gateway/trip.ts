/** What every route that takes a prompt does first and last: who calls, and may it; a place; and giving all of it back. */
import type { IncomingMessage } from 'node:http';
import { authenticate } from '../accounts/authenticate.ts';
import type { AskedPath, Inbound } from '../dialects/interface/inbound.ts';
import type { JsonDocument } from '../wire/json-scan.ts';
import { checkHead } from './arrival/check-head.ts';
import { judge, judgeAgain } from './arrival/judge.ts';
import type { BodyLimits } from './arrival/read-body.ts';
import type { Call } from './call.ts';
import { concludeCall } from './end/conclude-call.ts';
import type { Gateway } from './gateway.ts';

/** By the head of the request. Throws `GatewayError` 400, 401, 403, 417, 431, 503. */
export function enter(gateway: Gateway, call: Call): void {
  checkHead(call.request, gateway.limits.headersMax);
  call.key = authenticate(call.request.rawHeaders, gateway.keys, call.admittedAt);
  judge(gateway, call);
  gateway.running.enter(call);
}

export function bodyLimits(gateway: Gateway): BodyLimits {
  return {
    bytesMax: gateway.limits.bodyBytesMax,
    memory: gateway.memory,
    totalMs: gateway.timeouts.totalMs,
    watch: gateway.watch,
    queue: gateway.turnQueues.requests,
  };
}

export function inboundOf(
  { path, query, parameters }: AskedPath,
  { headers }: IncomingMessage,
  document: JsonDocument,
): Inbound {
  return { headers, path, query, parameters, document };
}

/** The body is whole, which may have taken minutes. Throws `GatewayError` 401, 403. */
export function arrive(gateway: Gateway, call: Call): void {
  gateway.running.arrived(call);
  judgeAgain(gateway, call);
}

/** The very last step of a call. */
export function leave(gateway: Gateway, call: Call): void {
  gateway.running.leave(call);
  call.memory?.release();
  concludeCall(gateway, call);
}
