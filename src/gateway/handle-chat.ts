/**
 * A call's trip, in order, on one page. Steps 2 to 7 touch memory only, and read the body;
 * whatever goes wrong on the way is told in the caller's own dialect.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { mayUse } from '../accounts/limits.ts';
import { CallCapture } from '../capture/call-capture.ts';
import { assert } from '../core/assert.ts';
import type { AnyCallerDialect } from '../dialects/index.ts';
import type { AskedPath } from '../dialects/interface/inbound.ts';
import { chooseTargets } from '../routing/choose-targets.ts';
import { admit, countIn, countOut, promptTokensAbout, refuseUnaffordable } from './admission/admit.ts';
import { hasIdempotencyKey, replayed } from './admission/replay.ts';
import { needsTranslation, translate } from './admission/translate.ts';
import { paidTargets, understandingTargets } from './admission/usable-targets.ts';
import { awaitPipelineTurn } from './arrival/await-pipeline-turn.ts';
import { judgeChoice } from './arrival/judge.ts';
import { readBody } from './arrival/read-body.ts';
import { Call } from './call.ts';
import { awaitDelivery } from './end/await-delivery.ts';
import { replyFailure } from './end/reply-error.ts';
import { exchange } from './exchange/exchange.ts';
import type { Gateway } from './gateway.ts';
import { arrive, bodyLimits, enter, inboundOf, leave } from './trip.ts';

/** Serves one chat request in `dialect`. Resolves when the caller has its answer, or is gone; never rejects. */
export async function handleChat(
  gateway: Gateway,
  dialect: AnyCallerDialect,
  asked: AskedPath,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const call = new Call(dialect, 'chat', request, response, gateway.clock);
  try {
    enter(gateway, call);
    if (response.socket === null) await awaitPipelineTurn(call);
    call.inbound = inboundOf(asked, request, await readBody(call, bodyLimits(gateway)));
    arrive(gateway, call);
    const { key, project, account, inbound } = call;
    assert(key !== null && project !== null && account !== null, 'a call that was judged has all three');
    if (account.capture.on)
      call.capture = new CallCapture(call.id, key.accountId, account.capture, inbound.document.bytes);
    call.peek = dialect.peek(inbound);
    const chosen = chooseTargets(gateway.catalog, call.peek.model, mayUse(key, project, account));
    call.model = chosen.model;
    call.providers = gateway.providers;
    countIn(gateway, call, promptTokensAbout(call.peek));
    if (hasIdempotencyKey(call)) {
      if (await replayed(gateway, call)) return;
      judgeChoice(gateway, call);
    }
    const targets = gateway.paidInAdvance ? paidTargets(chosen.targets, call.peek) : chosen.targets;
    call.targets = understandingTargets(targets, dialect.name);
    if (needsTranslation(call)) {
      refuseUnaffordable(gateway, call);
      const translated = translate(gateway, call);
      if (translated !== null) {
        await translated;
        judgeChoice(gateway, call);
      }
    }
    admit(gateway, call);
    await exchange(gateway, call);
  } catch (error) {
    countOut(gateway, call);
    await replyFailure(gateway, call, error);
  } finally {
    call.replay?.release();
    const rest = awaitDelivery(gateway, call);
    if (rest !== null) await rest;
    leave(gateway, call);
  }
}
