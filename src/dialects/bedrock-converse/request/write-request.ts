/**
 * Writes a neutral request for Converse and ConverseStream. The model, and whether the answer is streamed, are in the path.
 *
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 */
import type { ChatRequest, TextBlock, Turn } from '../../../chat/request.ts';
import type { WrittenRequest } from '../../interface/write-target.ts';
import { openLoopWithoutThought } from '../../kit/request/claude-thinking.ts';
import { shortenedNames } from '../../kit/request/tool-names.ts';
import { requiredCap } from '../../kit/request/written-cap.ts';
import type { DialectTarget } from '../quirks.ts';
import { CachePoints, type WireBlock } from './cache-points.ts';
import { writeFormat } from './write-format.ts';
import { writeMessages } from './write-messages.ts';
import { writeReasoning } from './write-reasoning.ts';
import { writeSampling } from './write-sampling.ts';
import { writeTools } from './write-tools.ts';

/** Throws `GatewayError` 400 for what this format cannot express and must not be lost silently. */
export function writeRequest(request: ChatRequest, target: DialectTarget): WrittenRequest {
  const { quirks } = target;
  const warnings = new Set<string>();
  const points = new CachePoints(quirks, warnings);
  warnOfUnsaid(request, warnings);
  const outputCap = requiredCap(request, target.outputCap, warnings);
  const { instructions, turns } = splitSystem(request, quirks.system, warnings);
  const obstacle = { prefilled: turns.at(-1)?.role === 'assistant', openLoop: openLoopWithoutThought(turns) };
  const reasoning = writeReasoning(request.reasoning, outputCap, target, obstacle, warnings);
  // Points are counted in the order of the prompt: tools, system, messages.
  const tools = writeTools(request, target, reasoning.thinks, points, warnings);
  const format = writeFormat(request.format, target, warnings);
  const ownWords = [tools.instruction, format.instruction].filter((instruction) => instruction !== null);
  const system = quirks.system ? writeSystem(instructions, ownWords, points) : [];
  const asUser: Turn[] = quirks.system ? [] : [...instructions, ...ownWords.map(textBlock)].map(userTurn);
  const { messages } = writeMessages([...asUser, ...turns], target, points, warnings);
  points.limit();
  const sampling = writeSampling(request, reasoning.thinks, target, warnings);
  const choice = tools.claudeChoice === null ? {} : { tool_choice: tools.claudeChoice };
  const fields: WireBlock = { ...sampling.fields, ...reasoning.fields, ...choice };
  const body = {
    messages,
    ...(system.length > 0 && { system }),
    // The cap is always sent: it bounds what the call may cost.
    inferenceConfig: { maxTokens: outputCap, ...sampling.config },
    ...(tools.config !== null && { toolConfig: tools.config }),
    ...(Object.keys(fields).length > 0 && { additionalModelRequestFields: fields }),
    ...((reasoning.effort !== null || format.textFormat !== null) && {
      outputConfig: {
        ...(format.textFormat !== null && { textFormat: format.textFormat }),
        ...(reasoning.effort !== null && { effort: reasoning.effort }),
      },
    }),
    // Where Claude says which stop sequence ended its answer: in a stream, and in a whole answer.
    ...(quirks.family === 'claude' &&
      'stopSequences' in sampling.config && {
        additionalModelResponseFieldPaths: [request.stream ? '/delta/stop_sequence' : '/stop_sequence'],
      }),
  };
  return {
    headers: {
      'content-type': 'application/json',
      accept: request.stream ? 'application/vnd.amazon.eventstream' : 'application/json',
    },
    body,
    warnings: [...warnings],
    outputCap,
    toolNames: shortenedNames(request.tools),
  };
}

/** Instructions before the conversation, and the conversation. */
function splitSystem(
  { system, turns }: ChatRequest,
  takesSystem: boolean,
  warnings: Set<string>,
): { readonly instructions: readonly TextBlock[]; readonly turns: readonly Turn[] } {
  const first = turns[0];
  const leading = first?.role === 'system' ? first.blocks : [];
  const instructions = [...system, ...leading];
  if (!takesSystem && instructions.length > 0)
    warnings.add("instructions were sent as the user's words: this model takes none apart from the conversation");
  return { instructions, turns: first?.role === 'system' ? turns.slice(1) : turns };
}

function writeSystem(blocks: readonly TextBlock[], ownWords: readonly string[], points: CachePoints): WireBlock[] {
  const system: WireBlock[] = [];
  for (const { text, cache } of blocks) {
    if (text.trim() === '') continue;
    system.push({ text });
    points.add(system, cache);
  }
  for (const text of ownWords) system.push({ text });
  return system;
}

function textBlock(text: string): TextBlock {
  return { type: 'text', text, cache: null };
}

function userTurn(block: TextBlock): Turn {
  return { role: 'user', blocks: [block] };
}

function warnOfUnsaid(request: ChatRequest, warnings: Set<string>): void {
  const unsaid = {
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
    seed: request.seed,
    verbosity: request.verbosity,
    user: request.user,
  };
  for (const [name, value] of Object.entries(unsaid)) {
    // A penalty of 0 means no penalty.
    const isNeutral = value === 0 && name !== 'seed';
    if (value !== null && !isNeutral) warnings.add(`${name} is not supported by this provider and was left out`);
  }
}
