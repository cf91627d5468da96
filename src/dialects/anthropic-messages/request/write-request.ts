/**
 * Writes a neutral request for a provider of the Messages API.
 *
 * https://docs.anthropic.com/en/api/messages
 */
import type { ChatRequest } from '../../../chat/request.ts';
import type { WrittenRequest } from '../../interface/write-target.ts';

import { openLoopWithoutThought } from '../../kit/request/claude-thinking.ts';
import { requiredCap } from '../../kit/request/written-cap.ts';
import { clouds } from '../clouds.ts';
import type { DialectTarget } from '../quirks.ts';
import { CacheMarks } from './cache-marks.ts';
import { writeTextBlocks } from './write-content.ts';
import { writeFormat } from './write-format.ts';
import { writeMessages } from './write-messages.ts';
import { writeReasoning } from './write-reasoning.ts';
import { writeSampling } from './write-sampling.ts';
import { writeToolChoice, writeTools } from './write-tools.ts';

/** Throws `GatewayError` 400 for what this format cannot express and must not be lost silently. */
export function writeRequest(request: ChatRequest, target: DialectTarget): WrittenRequest {
  const warnings = new Set<string>();
  const marks = new CacheMarks();
  warnOfUnsaid(request, warnings);
  const outputCap = requiredCap(request, target.outputCap, warnings);
  // Marks are counted in the order of the prompt: tools, system, messages.
  const tools = writeTools(request, marks, warnings);
  const { format, instruction } = writeFormat(request.format, target, warnings);
  const first = request.turns[0];
  const leading = first?.role === 'system' ? first.blocks : [];
  const turns = first?.role === 'system' ? request.turns.slice(1) : request.turns;
  const system = writeTextBlocks([...request.system, ...leading], marks);
  if (instruction !== null) system.push({ type: 'text', text: instruction });
  const { messages, prefilled } = writeMessages(turns, target, marks, warnings);
  const obstacle = { prefilled, openLoop: openLoopWithoutThought(request.turns) };
  const { thinking, effort, thinks } = writeReasoning(request.reasoning, outputCap, target, obstacle, warnings);
  if (marks.limit()) warnings.add('only the last 4 cache marks were sent');
  const cloud = target.quirks.cloud === undefined ? null : clouds[target.quirks.cloud];
  const body = {
    ...(cloud === null ? { model: target.upstreamModel } : { anthropic_version: cloud.version }),
    max_tokens: outputCap,
    messages,
    ...(system.length > 0 && { system }),
    ...(tools.length > 0 && { tools }),
    ...writeToolChoice(request, tools.length > 0, thinks, warnings),
    ...(thinking !== null && { thinking }),
    ...((effort !== null || format !== null) && {
      output_config: { ...(effort !== null && { effort }), ...(format !== null && { format }) },
    }),
    ...writeSampling(request, thinks, target, warnings),
    ...(request.user !== null && { metadata: { user_id: request.user } }),
    ...(request.stream && cloud?.streamsByPath !== true && { stream: true }),
  };
  return {
    headers: {
      'content-type': 'application/json',
      ...(cloud === null && {
        accept: request.stream ? 'text/event-stream' : 'application/json',
        'anthropic-version': VERSION,
      }),
    },
    body,
    warnings: [...warnings],
    outputCap,
    toolNames: null,
  };
}

/** https://docs.anthropic.com/en/api/versioning */
const VERSION = '2023-06-01';

function warnOfUnsaid(request: ChatRequest, warnings: Set<string>): void {
  const unsaid = {
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
    seed: request.seed,
    verbosity: request.verbosity,
  };
  for (const [name, value] of Object.entries(unsaid)) {
    // A penalty of 0 means no penalty.
    const isNeutral = value === 0 && name !== 'seed';
    if (value !== null && !isNeutral) warnings.add(`${name} is not supported by this provider and was left out`);
  }
}
