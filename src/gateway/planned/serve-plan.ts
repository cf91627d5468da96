/**
 * Answers a request with how it would be served: which candidates would be tried, in which order, at what bound, and which are left out, and
 * why. It takes the steps of a call up to the hold, so that it says what the call would do. No provider is asked, nothing is held or charged,
 * and there is no record; it counts as a request in the limits.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestPath } from '../../dialects/interface/inbound.ts';
import { countIn } from '../admission/count-in.ts';
import { awaitPipelineTurn } from '../arrival/await-pipeline-turn.ts';
import { arrive, enter } from '../arrival/enter.ts';
import { judgeChoice } from '../arrival/judge.ts';
import { readBody } from '../arrival/read-body.ts';
import { Call } from '../call.ts';
import { checkGoesOn } from '../check-goes-on.ts';
import { endCall } from '../end/end-call.ts';
import { replyFailure } from '../end/reply-error.ts';
import { sendBody } from '../end/send-body.ts';
import type { CallRoute, TripPorts } from '../serve-call.ts';
import { checkReferences, namesStored } from '../stored/check-references.ts';
import { type PlanCallPorts, planCall } from './plan-call.ts';
import { PlanNotes } from './plan-notes.ts';

export type PlanPorts = TripPorts & PlanCallPorts;

/** Resolves when the caller has its answer or has disconnected; never rejects. */
export async function servePlan(
  ports: PlanPorts,
  { dialect, operation }: CallRoute,
  asked: RequestPath,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const call = new Call(dialect, operation, request, response, ports.clock);
  try {
    enter(ports, call, asked);
    if (call.waiting !== null) await call.waiting;
    if (response.socket === null) await awaitPipelineTurn(call);
    arrive(ports, call, asked, await readBody(ports, call));
    const data = await planCall(ports, call, new PlanNotes(), async (understood) => {
      if (namesStored(understood)) {
        await checkReferences(ports, understood);
        checkGoesOn(understood);
        judgeChoice(ports, understood);
      }
      countIn(ports, understood);
    });
    if (data !== null) reply(call, Buffer.from(JSON.stringify({ data })));
  } catch (error) {
    await replyFailure(ports, call, error);
  } finally {
    await endCall(ports, call);
  }
}

function reply(call: Call, body: Buffer): void {
  call.status = 200;
  call.responseBytes = body.length;
  const headers = [...call.idHeaders(), 'content-type', 'application/json', 'content-length', String(body.length)];
  call.response.writeHead(200, headers);
  sendBody(call.response, body);
}
