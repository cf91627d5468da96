/**
 * A call's trip, in order, on one page, whatever its operation. The steps up to admission touch memory only, and read the body;
 * whatever goes wrong on the way is told in the caller's own dialect.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { CallCapture } from '../capture/call-capture.ts';
import type { AnyCallerDialect } from '../dialects/index.ts';
import type { AskedPath } from '../dialects/interface/inbound.ts';
import type { Operation } from '../operations/operation.ts';
import { admit, askBank } from './admission/admit.ts';
import { countIn, countOut } from './admission/count-in.ts';
import { refuseUnaffordable } from './admission/refuse-poor.ts';
import { hasIdempotencyKey, replayed } from './admission/replay.ts';
import { needsTranslation, translate } from './admission/translate-request.ts';
import { isPaid, route, understand } from './admission/understand.ts';
import { awaitPipelineTurn } from './arrival/await-pipeline-turn.ts';
import { arrive, enter } from './arrival/enter.ts';
import { judgeChoice } from './arrival/judge.ts';
import { readBody } from './arrival/read-body.ts';
import { Call } from './call.ts';
import { checkGoesOn } from './check-goes-on.ts';
import { awaitDelivery } from './end/await-delivery.ts';
import { leave } from './end/leave.ts';
import { replyFailure } from './end/reply-error.ts';
import { answerFree } from './exchange/answer-free.ts';
import { exchange } from './exchange/exchange.ts';
import type { Gateway } from './gateway.ts';

/** What a path means. */
export interface CallRoute {
  readonly dialect: AnyCallerDialect;
  readonly operation: Operation;
}

/** Serves one request. Resolves when the caller has its answer, or is gone; never rejects. */
export async function serveCall(
  gateway: Gateway,
  { dialect, operation }: CallRoute,
  asked: AskedPath,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const call = new Call(dialect, operation, request, response, gateway.clock);
  try {
    enter(gateway, call);
    if (response.socket === null) await awaitPipelineTurn(call);
    arrive(gateway, call, asked, await readBody(gateway, call));
    understand(gateway, call);
    if (!isPaid(call)) return await answerFree(gateway, call);
    const { capture } = call.account;
    if (capture.on) call.capture = new CallCapture(call.id, call.account.id, capture, call.inbound.document.bytes);
    countIn(gateway, call);
    if (hasIdempotencyKey(call)) {
      if (await replayed(gateway, call)) return;
      judgeChoice(gateway, call);
    }
    route(gateway, call);
    if (needsTranslation(call)) {
      refuseUnaffordable(gateway, call);
      const translated = translate(gateway, call);
      if (translated !== null) {
        await translated;
        judgeChoice(gateway, call);
      }
    }
    const held = askBank(gateway, call);
    if (held instanceof Promise) {
      admit(gateway, call, await held);
      checkGoesOn(call);
      judgeChoice(gateway, call);
    } else admit(gateway, call, held);
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
