/**
 * Writes a neutral request for a provider of this format. Vendors differ in what they accept, as the target states. What a model is known
 * not to accept is left out with a warning.
 *
 * https://platform.openai.com/docs/api-reference/chat/create
 */
import type { ChatRequest } from '../../../chat/request.ts';
import type { WrittenRequest } from '../../interface/write-target.ts';
import { shortenedNames } from '../../kit/request/tool-names.ts';
import { writtenCap } from '../../kit/request/written-cap.ts';
import { writtenUser } from '../../kit/request/written-user.ts';
import type { DialectTarget } from '../quirks.ts';
import type { Written } from './cache-marks.ts';
import { writeFormat } from './write-format.ts';
import { writeMessages } from './write-messages.ts';
import { writeReasoning } from './write-reasoning.ts';
import { writeSampling } from './write-sampling.ts';
import { writeTools } from './write-tools.ts';

/** Throws `GatewayError` 400 for what this format cannot express and must not be lost silently. */
export function writeRequest(request: ChatRequest, target: DialectTarget): WrittenRequest {
  const { quirks } = target;
  const warnings = new Set<string>();
  // A cap of 1 passes: clients probe with it.
  const cap = writtenCap(request.outputCap, target.outputCap, warnings);
  const body: Written = {
    model: target.upstreamModel,
    messages: writeMessages(request, quirks, warnings),
    ...writeTools(request, target, { cacheControl: quirks.cacheControl, warnings }),
    // Always sent: it bounds what the call may cost.
    [quirks.outputCapFields[0]]: cap ?? undefined,
    ...writeSampling(request, target, warnings),
    ...writeReasoning(request, target, cap, warnings),
    response_format: writeFormat(request.format, target, warnings),
    user: request.user === null ? undefined : writtenUser(request.user),
    stream: request.stream || undefined,
    // Without it most providers report no usage on streams.
    stream_options: request.stream ? { include_usage: true } : undefined,
  };
  return {
    headers: {
      'content-type': 'application/json',
      accept: request.stream ? 'text/event-stream' : 'application/json',
    },
    body,
    warnings: [...warnings],
    outputCap: cap,
    toolNames: shortenedNames(request.tools),
  };
}
