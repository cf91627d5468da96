/**
 * Answers a request with how it would be served: which candidates would be tried, in which order, at what bound, and which are left out, and
 * why. It takes the steps of a call up to the hold, so that it says what the call would do. No provider is asked, nothing is held or charged,
 * and there is no record; it counts as a request in the limits.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestPath } from '../../dialects/interface/inbound.ts';
import type { Candidate } from '../../routing/candidate.ts';
import type { Reason } from '../../routing/reason.ts';
import { countIn } from '../admission/count-in.ts';
import { route } from '../admission/route.ts';
import { isPaid, understand } from '../admission/understand.ts';
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
import { type BoundPorts, boundCandidates } from './bound-candidates.ts';
import { writePlan } from './write-plan.ts';

export type PlanPorts = TripPorts & BoundPorts;

/** Resolves when the caller has its answer or has disconnected; never rejects. */
export async function servePlan(
  ports: PlanPorts,
  { dialect, operation }: CallRoute,
  asked: RequestPath,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const call = new Call(dialect, operation, request, response, ports.clock);
  const notes: { readonly candidate: Candidate; readonly reason: Reason }[] = [];
  const note = (candidate: Candidate, reason: Reason) => void notes.push({ candidate, reason });
  try {
    enter(ports, call, asked);
    if (response.socket === null) await awaitPipelineTurn(call);
    arrive(ports, call, asked, await readBody(ports, call));
    understand(ports, call, note);
    if (namesStored(call)) {
      await checkReferences(ports, call);
      checkGoesOn(call);
      judgeChoice(ports, call);
    }
    countIn(ports, call);
    if (!isPaid(call)) return;
    route(ports, call, note);
    const bounded = await boundCandidates(ports, call, note);
    checkGoesOn(call);
    reply(call, Buffer.from(JSON.stringify({ data: writePlan(call, bounded, notes) })));
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
