/**
 * A call's trip, in order, on one page. Steps 2 to 7 touch memory only, and read the body;
 * whatever goes wrong on the way is told in the caller's own dialect.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { authenticate } from '../accounts/authenticate.ts';
import { mayUse } from '../accounts/limits.ts';
import { CallCapture } from '../capture/call-capture.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { chooseTargets } from '../routing/choose-targets.ts';
import { admit } from './admit.ts';
import { Call } from './call.ts';
import { checkHead } from './check-head.ts';
import { concludeCall } from './conclude-call.ts';
import { exchange } from './exchange.ts';
import type { Gateway } from './gateway.ts';
import { handOver } from './hand-over.ts';
import { itsTurn } from './its-turn.ts';
import { permit } from './permit.ts';
import { readBody } from './read-body.ts';
import { hasIdempotencyKey, replayed } from './replay.ts';
import { replyFailure } from './reply-error.ts';
import { translateWhereNeeded } from './translate.ts';
import { pricedTargets, understandingTargets } from './usable-targets.ts';

/** Serves one chat request in `dialect`. Resolves when the caller has its answer, or is gone; never rejects. */
export async function handleChat(
  gateway: Gateway,
  dialect: Dialect,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const call = new Call(dialect, 'chat', request, response, gateway.clock);
  try {
    checkHead(request, gateway.limits.headersMax);
    const key = authenticate(request.rawHeaders, gateway.keys, call.admittedAt);
    call.key = key;
    call.project = gateway.scopes.project(key.projectId);
    call.account = gateway.scopes.account(key.accountId);
    gateway.running.enter(call);
    if (response.socket === null) await itsTurn(call);
    const document = await readBody(call, {
      bytesMax: gateway.limits.bodyBytesMax,
      watch: gateway.watch,
      cohort: gateway.cohorts.requests,
    });
    call.inbound = { headers: request.headers, document };
    if (call.account.capture.on)
      call.capture = new CallCapture(call.id, key.accountId, call.account.capture, document.bytes);
    call.peek = dialect.peek(call.inbound);
    permit(call, gateway.clientAddress(request));
    const chosen = chooseTargets(gateway.catalog, call.peek.model, mayUse(key, call.project, call.account));
    call.model = chosen.model;
    call.providers = gateway.providers;
    if (hasIdempotencyKey(call) && (await replayed(gateway, call))) return;
    const targets = gateway.paidInAdvance ? pricedTargets(chosen.targets, call.peek.model) : chosen.targets;
    call.targets = understandingTargets(targets, dialect.name);
    const translated = translateWhereNeeded(call);
    if (translated !== null) await translated;
    admit(gateway, call);
    await exchange(gateway, call);
  } catch (error) {
    await replyFailure(gateway, call, error);
  } finally {
    call.replay?.release();
    const rest = handOver(gateway, call);
    if (rest !== null) await rest;
    gateway.running.leave(call);
    concludeCall(gateway, call);
  }
}
