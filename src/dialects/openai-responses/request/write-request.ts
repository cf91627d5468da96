/**
 * Writes a neutral request for a provider of this format. The provider stores nothing: the whole conversation is sent each time, with the
 * encrypted thoughts. Every server documents its own differences; what a model is known not to accept is left out with a warning.
 *
 * https://platform.openai.com/docs/api-reference/responses/create
 */
import type { ChatRequest } from '../../../chat/request.ts';
import type { WrittenRequest } from '../../interface/write-target.ts';
import { unsupported } from '../../kit/errors/request-errors.ts';
import { shortenedNames } from '../../kit/request/tool-names.ts';
import { writtenCap } from '../../kit/request/written-cap.ts';
import { writtenUser } from '../../kit/request/written-user.ts';
import type { DialectTarget } from '../quirks.ts';
import { writeFormat } from './write-format.ts';
import { writeMessages } from './write-messages.ts';
import { writeReasoning } from './write-reasoning.ts';
import { writeSampling } from './write-sampling.ts';
import { writeTools } from './write-tools.ts';

/** Throws `GatewayError` 400 for what this format cannot express and must not be lost silently. */
export function writeRequest(request: ChatRequest, target: DialectTarget): WrittenRequest {
  const warnings = new Set<string>();
  const cap = writtenCap(request.outputCap, target.outputCap, warnings);
  const sent = cap === null ? null : Math.max(cap, CAP_MIN);
  if (sent !== null && sent !== cap)
    warnings.add(
      `this provider takes no output cap below ${CAP_MIN} tokens: the answer may have as many, of which ${cap} are charged`,
    );
  const body = {
    model: target.upstreamModel,
    ...writeMessages(request, target.quirks, warnings),
    ...writeTools(request, target, warnings),
    // Always sent: it bounds what the call may cost.
    max_output_tokens: sent ?? undefined,
    ...writeSampling(request, target, warnings),
    ...writeReasoning(request, target, warnings),
    text: writeFormat(request, target, warnings),
    user: request.user === null ? undefined : writtenUser(request.user),
    store: false,
    stream: request.stream || undefined,
  };
  return {
    headers: {
      'content-type': 'application/json',
      accept: request.stream ? 'text/event-stream' : 'application/json',
    },
    body,
    warnings: [...warnings],
    outputCap: cap,
    ...(sent !== null && sent !== cap && { raisedCap: sent }),
    ...(request.stop.length > 0 && { stop: checkedStop(request.stop) }),
    toolNames: shortenedNames(request.tools),
  };
}

/** The gateway searches every answer for all of them. */
const STOPS_MAX = 64;
const STOPS_LENGTH_MAX = 16 * 1024;

function checkedStop(stop: readonly string[]): readonly string[] {
  const length = stop.reduce((sum, sequence) => sum + sequence.length, 0);
  if (stop.length <= STOPS_MAX && length <= STOPS_LENGTH_MAX) return stop;
  throw unsupported(
    'stop',
    `For this model there may be at most ${STOPS_MAX} stop sequences with ${STOPS_LENGTH_MAX} characters.`,
  );
}

/** OpenAI refuses less. */
const CAP_MIN = 16;
