/** The conversation as input items: https://platform.openai.com/docs/api-reference/responses/create#responses-create-input */
import { fitToolId } from '../../../chat/ids.ts';
import type {
  AssistantBlock,
  ChatRequest,
  ReasoningBlock,
  RefusalBlock,
  TextBlock,
  ToolCallBlock,
  ToolResultBlock,
  UserBlock,
} from '../../../chat/request.ts';
import type { JsonObject } from '../../../core/json-object.ts';
import { customInputOf } from '../../kit/answer/custom-input.ts';
import { wireToolName } from '../../kit/request/tool-names.ts';
import { withoutAttribution } from '../../kit/request/without-attribution.ts';
import type { Quirks } from '../quirks.ts';
import { type PartBlock, writePart, writeTexts } from './write-content.ts';
import { inputText } from './write-media.ts';
import { writeThoughts } from './write-thoughts.ts';

/** `instructions` and `input`. */
export function writeMessages(
  { system, turns }: Pick<ChatRequest, 'system' | 'turns'>,
  quirks: Quirks,
  warnings: Set<string>,
): JsonObject {
  const instructions = withoutAttribution(system).map(({ text }) => text);
  const input: JsonObject[] = [];
  const conversation: Conversation = { quirks, customCalls: new Set(), warnings };
  for (const turn of turns) {
    if (turn.role === 'system') input.push({ role: 'developer', content: writeTexts(turn.blocks) });
    else if (turn.role === 'user') for (const item of writeUser(turn.blocks, conversation)) input.push(item);
    else for (const item of writeAssistant(turn.blocks, conversation)) input.push(item);
  }
  if (turns.at(-1)?.role === 'assistant') {
    warnings.add('the last turn is from the assistant; this provider may answer it instead of continuing it');
  }
  return { instructions: instructions.length === 0 ? undefined : instructions.join('\n\n'), input };
}

/** What the items of one request have in common. */
interface Conversation {
  readonly quirks: Quirks;
  /** The ids of calls of custom tools so far: their results are items of another type. */
  readonly customCalls: Set<string>;
  readonly warnings: Set<string>;
}

/** OpenAI takes at most 64 characters and does not document which; a vendor's own ids must be sent back unchanged. */
const CALL_ID_RULE = { pattern: /^[\x21-\x7e]+$/, lengthMax: 64 } as const;

/** The results first: the calls must be answered before anything else. */
function writeUser(blocks: readonly UserBlock[], conversation: Conversation): readonly JsonObject[] {
  const items: JsonObject[] = [];
  const content: PartBlock[] = [];
  for (const block of blocks) {
    if (block.type === 'tool_result') items.push(writeResult(block, conversation));
    else content.push(block);
  }
  if (content.length > 0) items.push({ role: 'user', content: writeContent(content, conversation.warnings) });
  return items;
}

function writeContent(blocks: readonly PartBlock[], warnings: Set<string>): string | readonly JsonObject[] {
  const [first] = blocks;
  if (blocks.length === 1 && first?.type === 'text') return first.text;
  return blocks.flatMap((block) => writePart(block, warnings));
}

/** The format cannot mark a failure; images and documents may stand in a result. */
function writeResult(
  { callId, content, isError }: ToolResultBlock,
  { customCalls, warnings }: Conversation,
): JsonObject {
  const [first] = content;
  const isText = first === undefined || (content.length === 1 && first.type === 'text');
  const output = isText
    ? markedText(first?.type === 'text' ? first.text : '', isError)
    : markedParts(
        content.flatMap((block) => writePart(block, warnings)),
        isError,
      );
  const type = customCalls.has(callId) ? 'custom_tool_call_output' : 'function_call_output';
  return { type, call_id: fitToolId(callId, CALL_ID_RULE), output };
}

function markedText(text: string, isError: boolean): string {
  if (!isError) return text;
  return text === '' ? 'Error' : `Error: ${text}`;
}

function markedParts(parts: readonly JsonObject[], isError: boolean): readonly JsonObject[] {
  return isError ? [inputText('Error:'), ...parts] : parts;
}

/** Each block in its place: a thought belongs to what follows it. */
function writeAssistant(blocks: readonly AssistantBlock[], conversation: Conversation): readonly JsonObject[] {
  const items: JsonObject[] = [];
  for (const run of runsOf(blocks)) {
    const [first] = run;
    if (first?.type === 'reasoning') {
      for (const item of writeThoughts(run as readonly ReasoningBlock[], conversation)) items.push(item);
    } else if (first?.type === 'tool_call') {
      for (const call of run) if (call.type === 'tool_call') items.push(writeCall(call, conversation));
    } else {
      items.push({ role: 'assistant', content: writeSaid(run as readonly (TextBlock | RefusalBlock)[]) });
    }
  }
  return items;
}

/** Adjacent blocks of the same kind. */
function runsOf(blocks: readonly AssistantBlock[]): readonly (readonly AssistantBlock[])[] {
  const runs: AssistantBlock[][] = [];
  for (const block of blocks) {
    const last = runs.at(-1);
    if (last?.[0] !== undefined && kindOf(last[0]) === kindOf(block)) last.push(block);
    else runs.push([block]);
  }
  return runs;
}

function kindOf({ type }: AssistantBlock): 'reasoning' | 'tool_call' | 'said' {
  return type === 'reasoning' || type === 'tool_call' ? type : 'said';
}

function writeSaid(blocks: readonly (TextBlock | RefusalBlock)[]): string | readonly JsonObject[] {
  const [first] = blocks;
  if (blocks.length === 1 && first?.type === 'text') return first.text;
  return blocks.map((block) =>
    block.type === 'text' ? { type: 'output_text', text: block.text } : { type: 'refusal', refusal: block.text },
  );
}

function writeCall({ id, name, input, custom }: ToolCallBlock, { quirks, customCalls }: Conversation): JsonObject {
  const call = { call_id: fitToolId(id, CALL_ID_RULE), name: wireToolName(name) };
  if (custom === true && quirks.customTools) {
    customCalls.add(id);
    return { type: 'custom_tool_call', ...call, input: customInputOf(input) };
  }
  return {
    type: 'function_call',
    ...call,
    arguments: JSON.stringify(input),
  };
}
