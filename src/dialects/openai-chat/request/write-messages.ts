/** The conversation as messages of this format. */
import { fitToolId } from '../../../chat/ids.ts';
import type {
  AssistantBlock,
  ChatRequest,
  TextBlock,
  ToolCallBlock,
  ToolResultBlock,
  UserBlock,
} from '../../../chat/request.ts';
import { customInputOf } from '../../kit/answer/custom-input.ts';
import { wireToolName } from '../../kit/request/tool-names.ts';
import { withoutAttribution } from '../../kit/request/without-attribution.ts';
import type { Quirks } from '../quirks.ts';
import type { MessageStyle, Written } from './cache-marks.ts';
import { type PartBlock, writeContent } from './write-content.ts';
import { writeReasoningBack } from './write-reasoning-back.ts';

export function writeMessages(
  { system, turns }: Pick<ChatRequest, 'system' | 'turns'>,
  quirks: Quirks,
  warnings: Set<string>,
): readonly Written[] {
  const style: MessageStyle = { cacheControl: quirks.cacheControl, warnings };
  const messages: Written[] = [];
  const instructions = withoutAttribution(system);
  if (instructions.length > 0) messages.push({ role: quirks.systemRole, content: writeContent(instructions, style) });
  for (const turn of turns) {
    if (turn.role === 'system') messages.push({ role: quirks.systemRole, content: writeContent(turn.blocks, style) });
    else if (turn.role === 'user') for (const message of writeUser(turn.blocks, style)) messages.push(message);
    else for (const message of writeAssistant(turn.blocks, quirks, style)) messages.push(message);
  }
  if (turns.at(-1)?.role === 'assistant') {
    warnings.add('the last turn is from the assistant; this provider may answer it instead of continuing it');
  }
  return messages;
}

/**
 * OpenAI takes at most 40 characters. It does not document which, and a vendor's own ids (`functions.search:0`) must be sent back
 * unchanged.
 */
const TOOL_ID_RULE = { pattern: /^[\x21-\x7e]+$/, lengthMax: 40 } as const;

/** Each result is a separate message, before anything else from the user: the calls must be answered first. */
function writeUser(blocks: readonly UserBlock[], style: MessageStyle): readonly Written[] {
  const results = blocks.filter((block) => block.type === 'tool_result');
  const messages = results.map((result) => writeResult(result, style));
  const content = [...results.flatMap(mediaOfResult), ...blocks.filter((block) => block.type !== 'tool_result')];
  if (content.length > 0) messages.push({ role: 'user', content: writeContent(content, style) });
  return messages;
}

function writeResult(result: ToolResultBlock, style: MessageStyle): Written {
  return {
    role: 'tool',
    tool_call_id: fitToolId(result.callId, TOOL_ID_RULE),
    content: writeContent(resultText(result), style),
  };
}

/** The format cannot mark a failure, and results contain only text. */
function resultText(result: ToolResultBlock): readonly TextBlock[] {
  const texts = result.content.filter((block) => block.type === 'text');
  const [first] = texts;
  if (first === undefined) {
    const instead = result.content.length > 0 ? 'The result is in the message after the results.' : '';
    const text = !result.isError ? instead : instead === '' ? 'Error' : `Error: ${instead}`;
    // An empty part cannot be marked.
    return [{ type: 'text', text, cache: text === '' ? null : result.cache }];
  }
  const written = result.isError ? [{ ...first, text: `Error: ${first.text}` }, ...texts.slice(1)] : [...texts];
  const last = written.at(-1) as TextBlock;
  return result.cache === null ? written : [...written.slice(0, -1), { ...last, cache: result.cache }];
}

function mediaOfResult(result: ToolResultBlock): readonly PartBlock[] {
  const id = fitToolId(result.callId, TOOL_ID_RULE);
  return result.content.flatMap((block): readonly PartBlock[] => {
    if (block.type === 'text') return [];
    const what = block.type === 'image' ? 'Image' : 'Document';
    return [{ type: 'text', text: `${what} from tool result ${id}:`, cache: null }, block];
  });
}

/** Empty if the turn had only thoughts that are not sent back. */
function writeAssistant(blocks: readonly AssistantBlock[], quirks: Quirks, style: MessageStyle): readonly Written[] {
  warnOfOrder(blocks, style.warnings);
  const calls = blocks.filter((block) => block.type === 'tool_call');
  // A refusal is sent as the assistant's text; only OpenAI has a field for it.
  const texts = blocks.flatMap((block): readonly TextBlock[] => {
    if (block.type === 'text') return [block];
    return block.type === 'refusal' ? [{ type: 'text', text: block.text, cache: null }] : [];
  });
  const reasoning = writeReasoningBack(blocks, quirks.reasoningBack, style.warnings);
  if (calls.length === 0 && texts.length === 0 && reasoning === null) return [];
  // A mark on a call cannot be written; it moves to the text before.
  const mark = calls.findLast(({ cache }) => cache !== null)?.cache ?? null;
  const marked = texts.map((text, index) =>
    index === texts.length - 1 ? { ...text, cache: text.cache ?? mark } : text,
  );
  return [
    {
      role: 'assistant',
      content: texts.length === 0 && calls.length > 0 ? null : writeContent(marked, style),
      ...reasoning,
      tool_calls: calls.length === 0 ? undefined : calls.map((call) => writeCall(call, quirks)),
    },
  ];
}

function writeCall({ id, name, input, custom }: ToolCallBlock, { customTools }: Quirks): Written {
  const wireId = fitToolId(id, TOOL_ID_RULE);
  if (custom === true && customTools)
    return { id: wireId, type: 'custom', custom: { name: wireToolName(name), input: customInputOf(input) } };
  return {
    id: wireId,
    type: 'function',
    function: { name: wireToolName(name), arguments: JSON.stringify(input) },
  };
}

function warnOfOrder(blocks: readonly AssistantBlock[], warnings: Set<string>): void {
  const firstCall = blocks.findIndex(({ type }) => type === 'tool_call');
  const lastText = blocks.findLastIndex(({ type }) => type === 'text' || type === 'refusal');
  if (firstCall !== -1 && lastText > firstCall) {
    warnings.add('text after a tool call is given to this provider before the call');
  }
}
