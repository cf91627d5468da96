/**
 * Writes a neutral request for a provider of Google's `generateContent`. The model's name is in the path, and so is whether the answer is
 * streamed.
 *
 * https://ai.google.dev/api/generate-content
 */
import type { ChatRequest, TextBlock, Turn } from '../../../chat/request.ts';
import type { WrittenRequest } from '../../interface/write-target.ts';
import { shortenedNames } from '../../kit/request/tool-names.ts';
import { withoutAttribution } from '../../kit/request/without-attribution.ts';
import { writtenCap } from '../../kit/request/written-cap.ts';
import type { DialectTarget } from '../quirks.ts';
import { wireToolName } from './tool-names.ts';
import { writeFormat } from './write-format.ts';
import { writeMessages } from './write-messages.ts';
import { writeReasoning } from './write-reasoning.ts';
import { otherStops, writeSampling } from './write-sampling.ts';
import { writeTools } from './write-tools.ts';
import type { Written } from './written.ts';

/** Throws `GatewayError` 400 for what this format cannot express and must not be lost silently. */
export function writeRequest(request: ChatRequest, target: DialectTarget): WrittenRequest {
  const warnings = new Set<string>();
  warnOfUnsaid(request, warnings);
  const outputCap = writtenCap(request.outputCap, target.outputCap, warnings);
  const tools = writeTools(request, target, warnings);
  const { fields: format, instruction } = writeFormat(request.format, 'tools' in tools, target, warnings);
  const system = instructionsOf(request, instruction);
  const generationConfig: Written = {
    // Thoughts count towards it, as in the neutral form.
    ...(outputCap !== null && { maxOutputTokens: outputCap }),
    ...writeSampling(request, target, warnings),
    ...format,
    ...writeReasoning(request.reasoning, target, warnings),
  };
  const body: Written = {
    ...(target.quirks.system &&
      system.length > 0 && { systemInstruction: { parts: system.map(({ text }) => ({ text })) } }),
    contents: writeMessages(target.quirks.system ? request.turns : asked(system, request.turns), target, warnings),
    ...tools,
    ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
  };
  const stop = otherStops(request, target);
  return {
    headers: {
      'content-type': 'application/json',
      accept: request.stream ? 'text/event-stream' : 'application/json',
    },
    body,
    warnings: [...warnings],
    outputCap,
    ...(stop.length > 0 && { stop }),
    toolNames: shortenedNames(request.tools, wireToolName),
  };
}

function instructionsOf(request: ChatRequest, own: string | null): readonly TextBlock[] {
  const system = withoutAttribution(request.system);
  return own === null ? system : [...system, { type: 'text', text: own, cache: null }];
}

/** The turns with the instructions at the beginning of what the user says. */
function asked(system: readonly TextBlock[], turns: readonly Turn[]): readonly Turn[] {
  return system.length === 0 ? turns : [{ role: 'user', blocks: system }, ...turns];
}

function warnOfUnsaid({ verbosity, user }: ChatRequest, warnings: Set<string>): void {
  if (verbosity !== null) warnings.add('verbosity is not supported by this provider and was left out');
  if (user !== null) warnings.add('the user is left out: this provider has no field for it');
}
