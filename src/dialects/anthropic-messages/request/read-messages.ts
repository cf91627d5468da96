/**
 * The messages of a request as turns: what a caller sent in several pieces is joined, and every tool call is followed directly by its
 * result, as the neutral form promises.
 *
 * https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use
 */
import type { AssistantBlock, Effort, Json, JsonObject, TextBlock, Turn, UserBlock } from '../../../chat/request.ts';
import { invalid } from '../../kit/errors/request-errors.ts';
import { fieldsByType } from '../../kit/request/fields-by-type.ts';
import { isAbsent, isRecord, requireList, requireObject, requireText } from '../../kit/request/request-values.ts';
import { warnOfBlock } from './known-fields.ts';
import { eachBlock, readAssistantBlock, readTextBlock, readUserBlock } from './read-content.ts';
import { readEffort } from './read-reasoning.ts';
import { answerCalls, type Paths } from './read-tool-results.ts';
import { warnOfUnknown } from './unknown-fields.ts';

export interface Conversation {
  readonly turns: readonly Turn[];
  /** Instructions before everything else. */
  readonly leading: readonly TextBlock[];
  /** Tools added and removed in the middle, in order. */
  readonly toolChanges: readonly ToolChange[];
  /** The effort that a system message requests for the turn to be answered, or null. */
  readonly effort: Effort | null;
}

export interface ToolChange {
  readonly type: 'tool_addition' | 'tool_removal';
  readonly tool: JsonObject;
  readonly param: string;
}

/** Throws `GatewayError` 400 for a message that cannot be read, and for tool results without a call. */
export function readMessages(value: Json | undefined, warnings: Set<string>): Conversation {
  const messages = requireList(value, 'messages').map((message, index) => requireObject(message, `messages[${index}]`));
  const lastUser = messages.findLastIndex((message) => message['role'] === 'user');
  const turns: OpenTurn[] = [];
  const paths: Paths = new Map();
  const toolChanges: ToolChange[] = [];
  let effort: Effort | null = null;
  let lastSilent: string | null = null;
  messages.forEach((message, index) => {
    const param = `messages[${index}]`;
    const current = index > lastUser;
    if (message['role'] === 'system' && current) effort = readTurnEffort(message, param, warnings) ?? effort;
    warnOfUnknown(message, KNOWN_FIELDS.of(message['role']), 'messages[].', warnings);
    const turn = readMessage(message, param, current, paths, toolChanges, warnings);
    if (turn.blocks.length > 0) lastSilent = null;
    else if (turn.role === 'user') lastSilent = `${param}.content`;
    append(turns, turn);
  });
  // Without it the model would continue its own answer instead of writing a new one.
  if (lastSilent !== null && turns.at(-1)?.role === 'assistant') {
    throw invalid(lastSilent, `"${lastSilent}" must say something: it is the turn to be answered.`);
  }
  const first = turns[0];
  const leading = first?.role === 'system' ? first.blocks : [];
  const answered = answerCalls(first?.role === 'system' ? turns.slice(1) : turns, paths, warnings);
  if (answered.length === 0) throw invalid('messages', '"messages" must hold something to answer.');
  return { turns: answered, leading, toolChanges, effort };
}

/** The effort of a turn that was answered means nothing any more. */
const KNOWN_FIELDS = fieldsByType(['role', 'content'], { system: ['clear_at', 'output_config'] });
const KNOWN_IN_CONFIG: ReadonlySet<string> = new Set(['effort']);

type OpenTurn =
  | { readonly role: 'user'; readonly blocks: UserBlock[] }
  | { readonly role: 'assistant'; readonly blocks: AssistantBlock[] }
  | { readonly role: 'system'; readonly blocks: TextBlock[] };

function readMessage(
  message: JsonObject,
  param: string,
  current: boolean,
  paths: Paths,
  toolChanges: ToolChange[],
  warnings: Set<string>,
): OpenTurn {
  const { content } = message;
  const at = `${param}.content`;
  const role = requireText(message['role'], `${param}.role`);
  if (role === 'user') {
    const blocks: UserBlock[] = [];
    eachBlock(content, at, (block, place) => {
      for (const read of readUserBlock(block, place, warnings)) {
        if (read.type === 'tool_result') paths.set(read, `${place}.tool_use_id`);
        blocks.push(read);
      }
    });
    return { role, blocks };
  }
  if (role === 'assistant') {
    const blocks: AssistantBlock[] = [];
    eachBlock(content, at, (block, place) => {
      for (const read of readAssistantBlock(block, place, warnings)) {
        if (read.type === 'tool_call') paths.set(read, `${place}.id`);
        blocks.push(read);
      }
    });
    return { role, blocks };
  }
  if (role !== 'system') throw invalid(`${param}.role`, `"${param}.role" must be "user", "assistant" or "system".`);
  return { role, blocks: readInstructions(message, param, current, toolChanges, warnings) };
}

/** A system message may contain only an effort, and may apply only to its turn. */
function readInstructions(
  message: JsonObject,
  param: string,
  current: boolean,
  toolChanges: ToolChange[],
  warnings: Set<string>,
): TextBlock[] {
  const blocks: TextBlock[] = [];
  if (isAbsent(message['content'])) return blocks;
  const forgotten = message['clear_at'] === 'next_user_message' && !current;
  eachBlock(message['content'], `${param}.content`, (block, at) => {
    const { type } = block;
    warnOfBlock(block, 'messages[].content[].', warnings);
    if (type === 'tool_addition' || type === 'tool_removal') {
      toolChanges.push({ type, tool: requireObject(block['tool'], `${at}.tool`), param: `${at}.tool` });
      return;
    }
    const read = readTextBlock(block, at, warnings);
    if (!forgotten) for (const text of read) blocks.push(text);
  });
  return blocks;
}

function readTurnEffort(message: JsonObject, param: string, warnings: Set<string>): Effort | null {
  const config = message['output_config'];
  if (!isRecord(config)) return null;
  warnOfUnknown(config, KNOWN_IN_CONFIG, 'messages[].output_config.', warnings);
  return readEffort(config['effort'], `${param}.output_config.effort`, warnings);
}

function append(turns: OpenTurn[], turn: OpenTurn): void {
  if (turn.blocks.length === 0) return;
  const last = turns.at(-1);
  if (last === undefined || last.role !== turn.role) turns.push(turn);
  // One by one: spreading a long turn would overflow the stack.
  else for (const block of turn.blocks) (last.blocks as unknown[]).push(block);
}
