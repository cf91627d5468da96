/**
 * Writes a whole answer as a chat completion, in OpenRouter's flavour.
 *
 * The format has one text and one list of calls, so several texts become one, and their position between calls is lost and reported.
 *
 * https://openrouter.ai/docs/api-reference/overview, https://platform.openai.com/docs/api-reference/chat/object
 */

import type { ReasoningBlock, ToolCallBlock } from '../../../chat/request.ts';
import type { AnswerBlock, AnswerImage, AnswerText, ChatResponse } from '../../../chat/response.ts';
import { type CallId, generationId } from '../../../core/ids.ts';
import type { WriteContext } from '../../interface/stream-writer.ts';
import { customInputOf } from '../../kit/answer/custom-input.ts';
import { addHiddenThought } from '../../kit/answer/left-out-thoughts.ts';
import { argumentsText } from '../../kit/answer/tool-input.ts';
import { customToolsOf } from '../../kit/request/custom-tools.ts';
import { writeCitation } from './citation.ts';
import { writeFinish } from './finish-reason.ts';
import { EXPLANATION, FURTHER_CALLS, HIDDEN_THOUGHT, ORDER, PAUSED } from './losses.ts';
import { encryptedDetail, textDetail } from './reasoning-details.ts';
import { writeUsage } from './write-usage.ts';

/** Between texts around a tool call. */
export const TEXT_PARTING = '\n\n';

/** The body. `usage` is left out if the provider reported none. */
export function writeResponse(response: ChatResponse, context: WriteContext): Buffer {
  const { blocks, finish, usage } = response;
  addLosses(response, context);
  const answer = {
    id: generationId(context.id as CallId),
    object: 'chat.completion',
    created: context.created,
    model: context.callerModel,
    provider: context.provider,
    // Some clients require it: https://openrouter.ai/docs/api-reference/overview
    system_fingerprint: null,
    choices: [
      {
        index: 0,
        message: writeMessage(blocks, context),
        logprobs: null,
        finish_reason: writeFinish(finish.reason, context.oldFunctions),
        native_finish_reason: finish.native,
      },
    ],
    ...(usage === null ? {} : { usage: writeUsage(usage, context.cost()) }),
  };
  return Buffer.from(JSON.stringify(answer));
}

function addLosses({ blocks, finish }: ChatResponse, context: WriteContext): void {
  const { showsReasoning, oldFunctions, warnings } = context;
  const shown = showsReasoning ? blocks : blocks.filter((block) => block.type !== 'reasoning');
  const hides = blocks.some((block) => block.type === 'reasoning' && block.encrypted !== null);
  if (!showsReasoning && hides) warnings.add(HIDDEN_THOUGHT);
  if (blocks.some(isReadable)) addHiddenThought(context);
  if (!areInOrder(shown)) warnings.add(ORDER);
  if (finish.explanation !== null) warnings.add(EXPLANATION);
  if (finish.reason === 'paused') warnings.add(PAUSED);
  if (oldFunctions === true && blocks.filter(({ type }) => type === 'tool_call').length > 1)
    warnings.add(FURTHER_CALLS);
}

/** A thought with text, or only a signature. */
function isReadable(block: AnswerBlock): boolean {
  return block.type === 'reasoning' && block.encrypted === null && (block.text !== '' || block.signature !== null);
}

/** Whether thoughts come before text and text before calls, as clients read a message of this format. */
function areInOrder(blocks: readonly AnswerBlock[]): boolean {
  let last = 0;
  for (const block of blocks) {
    // Some models begin with a line break before they think.
    if (block.type === 'text' && block.text.trim() === '') continue;
    const place = PLACES[block.type];
    if (place < last) return false;
    last = place;
  }
  return true;
}

const PLACES: Readonly<Record<AnswerBlock['type'], number>> = {
  reasoning: 0,
  text: 1,
  refusal: 1,
  image: 1,
  tool_call: 2,
};

function writeMessage(blocks: readonly AnswerBlock[], context: WriteContext): object {
  const { showsReasoning, oldFunctions, forAnswer } = context;
  const texts = blocks.filter((block) => block.type === 'text');
  const calls = blocks.filter((block) => block.type === 'tool_call');
  const refusals = blocks.filter((block) => block.type === 'refusal');
  const reasoning = showsReasoning ? blocks.filter((block) => block.type === 'reasoning') : [];
  return {
    role: 'assistant',
    content: nullIfEmpty(joinTexts(blocks)),
    refusal: nullIfEmpty(refusals.map((block) => block.text).join('')),
    ...writeReasoning(reasoning),
    ...writeCalls(calls, oldFunctions === true, customToolsOf(forAnswer)),
    ...writeAnnotations(texts),
    ...writeImages(blocks),
  };
}

/** Next to the text: https://openrouter.ai/docs/features/multimodal/image-generation */
function writeImages(blocks: readonly AnswerBlock[]): object {
  const images = blocks.filter((block) => block.type === 'image');
  return images.length === 0 ? {} : { images: images.map(writeImage) };
}

/** An entry of `images`. */
export function writeImage({ mediaType, data }: AnswerImage): object {
  return { type: 'image_url', image_url: { url: `data:${mediaType};base64,${data}` } };
}

/** Adjacent texts are pieces of one, e.g. split by citations; texts around a call are separate. */
function joinTexts(blocks: readonly AnswerBlock[]): string {
  let joined = '';
  let isParted = false;
  for (const block of blocks) {
    if (block.type === 'tool_call') isParted = joined !== '';
    if (block.type !== 'text' || block.text === '') continue;
    joined += isParted ? `${TEXT_PARTING}${block.text}` : block.text;
    isParted = false;
  }
  return joined;
}

function writeReasoning(blocks: readonly ReasoningBlock[]): object {
  if (blocks.length === 0) return {};
  return {
    reasoning: nullIfEmpty(blocks.map((block) => block.text).join('')),
    reasoning_details: blocks.map(writeDetail),
  };
}

function writeDetail(block: ReasoningBlock, index: number): object {
  const { text, signature, encrypted } = block;
  if (encrypted !== null) return encryptedDetail(encrypted, block, index);
  return textDetail(signature === null ? { text } : { text, signature }, block, index);
}

function writeCalls(calls: readonly ToolCallBlock[], isOld: boolean, customTools: ReadonlySet<string>): object {
  const [first] = calls;
  if (first === undefined) return {};
  if (!isOld) return { tool_calls: calls.map((call, index) => writeCall(call, index, customTools)) };
  return { function_call: { name: first.name, arguments: argumentsText(first.input) } };
}

function writeCall({ id, name, input }: ToolCallBlock, index: number, customTools: ReadonlySet<string>): object {
  if (customTools.has(name)) return { index, id, type: 'custom', custom: { name, input: customInputOf(input) } };
  return { index, id, type: 'function', function: { name, arguments: argumentsText(input) } };
}

function writeAnnotations(texts: readonly AnswerText[]): object {
  const citations = texts.flatMap((block) => block.citations);
  return citations.length === 0 ? {} : { annotations: citations.map(writeCitation) };
}

function nullIfEmpty(text: string): string | null {
  return text === '' ? null : text;
}
