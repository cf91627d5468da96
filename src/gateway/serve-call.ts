/**
 * The steps of a call, in order, whatever its operation. The steps up to admission only use memory and read the body; every
 * failure is reported in the caller's own dialect.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { awaitKeyNews } from '../accounts/key-news.ts';
import { CallCapture } from '../capture/call-capture.ts';
import type { AnyCallerDialect } from '../dialects/index.ts';
import type { RequestPath } from '../dialects/interface/inbound.ts';
import type { Operation } from '../operations/operation.ts';
import { type AdmitPorts, admit, askBank } from './admission/admit.ts';
import { type CountPorts, countIn, countOut } from './admission/count-in.ts';
import { type RefusePoorPorts, refuseUnaffordable } from './admission/refuse-poor.ts';
import { mayBeRepeated, type ReplayPorts, replayed } from './admission/replay.ts';
import { type RoutePorts, route } from './admission/route.ts';
import { isRelayed, type TranslatePorts, translate } from './admission/translate-request.ts';
import { isPaid, type UnderstandPorts, understand } from './admission/understand.ts';
import { awaitPipelineTurn } from './arrival/await-pipeline-turn.ts';
import type { BodyPorts } from './arrival/body-reader.ts';
import { type ArrivePorts, arrive, type EnterPorts, enter } from './arrival/enter.ts';
import { judgeChoice } from './arrival/judge.ts';
import { readRequest } from './arrival/read-request.ts';
import { type LookUpPorts, lookUp } from './cached/look-up.ts';
import { type ServeCachedPorts, servedFromCache } from './cached/serve-cached.ts';
import { Call } from './call.ts';
import { checkGoesOn } from './check-goes-on.ts';
import { type EndPorts, endCall } from './end/end-call.ts';
import { guarded } from './end/guarded.ts';
import { type ReplyPorts, replyFailure } from './end/reply-error.ts';
import { type AnswerFreePorts, answerFree } from './exchange/answer-free.ts';
import { type ExchangePorts, exchange } from './exchange/exchange.ts';
import { skippedOn } from './exchange/note-attempt.ts';
import { isLarge, letOthersRun } from './let-others-run.ts';
import type { Line } from './lines/line.ts';
import { checkReferences, namesStored, type ReferencePorts } from './stored/check-references.ts';
import type { FormPorts } from './uploads/read-form.ts';

/** The meaning of a path. */
export interface CallRoute {
  readonly dialect: AnyCallerDialect;
  readonly operation: Operation;
}

/** Everything that the steps use. */
export type TripPorts = EnterPorts &
  ArrivePorts &
  BodyPorts &
  FormPorts &
  UnderstandPorts &
  CountPorts &
  ReplayPorts &
  LookUpPorts &
  ServeCachedPorts &
  RoutePorts &
  RefusePoorPorts &
  TranslatePorts &
  AdmitPorts &
  ExchangePorts &
  AnswerFreePorts &
  ReferencePorts &
  ReplyPorts &
  EndPorts;

/**
 * Serves one request; `line` is set if the gateway makes it itself, for a line of a batch. Resolves when the caller has its answer or has
 * disconnected; never rejects.
 */
export async function serveCall(
  ports: TripPorts,
  { dialect, operation }: CallRoute,
  asked: RequestPath,
  request: IncomingMessage,
  response: ServerResponse,
  line: Line | null = null,
): Promise<void> {
  const call = new Call(dialect, operation, request, response, ports.clock, operation.permission, line);
  try {
    try {
      enter(ports, call, asked);
    } catch (error) {
      await awaitKeyNews(error, ports.keyNews);
      enter(ports, call, asked);
    }
    if (call.waiting !== null) await call.waiting;
    if (response.socket === null) await awaitPipelineTurn(call);
    arrive(ports, call, asked, await readRequest(ports, call));
    understand(ports, call);
    if (namesStored(call)) {
      await checkReferences(ports, call);
      checkGoesOn(call);
      judgeChoice(ports, call);
    }
    if (!isPaid(call)) return await answerFree(ports, call);
    const { capture } = call.account;
    if (capture.on) call.capture = new CallCapture(call.id, call.account.id, capture, call.inbound.document.bytes);
    const looking = lookUp(ports, call);
    if (looking !== null) {
      await looking;
      judgeChoice(ports, call);
    }
    countIn(ports, call);
    if (mayBeRepeated(call)) {
      if (await replayed(ports, call)) return;
      judgeChoice(ports, call);
    }
    if (call.caching !== null && (await servedFromCache(ports, call, call.caching))) return;
    route(ports, call);
    if (!isRelayed(call, call.candidate)) {
      const asking = refuseUnaffordable(ports, call);
      if (asking !== null) {
        await asking;
        judgeChoice(ports, call);
      }
      const translated = translate(ports, call, skippedOn(call));
      if (translated !== null) {
        await translated;
        judgeChoice(ports, call);
      }
    } else if (isLarge(call.inbound.document)) {
      await letOthersRun(call);
      judgeChoice(ports, call);
    }
    const held = askBank(ports, call, skippedOn);
    if (held instanceof Promise) {
      admit(ports, call, await held);
      checkGoesOn(call);
      judgeChoice(ports, call);
    } else admit(ports, call, held);
    await exchange(ports, call);
  } catch (error) {
    call.upload?.close();
    guarded(ports, call, countOut);
    await replyFailure(ports, call, error);
  } finally {
    const ending = endCall(ports, call);
    if (ending !== null) await ending;
  }
}
