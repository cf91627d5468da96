/**
 * Checks a list of Messages turns: a user turn first, no empty texts, tool results immediately and together, thinking
 * unchanged. https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use
 */
import { isObject, type JsonObject, objectsOf } from '../../core/json-object.ts';
import { badRequest } from '../refusal.ts';
import { verifyThinking } from '../thinking.ts';

const ROLES: ReadonlySet<unknown> = new Set(['user', 'assistant', 'system']);
const TOOL_USE_ID = /^[a-zA-Z0-9_-]+$/;

/** Returns the turns with consecutive ones of one role merged, as the real API does. */
export function checkMessages(messages: unknown, thinks: boolean): readonly JsonObject[] {
  if (messages === undefined) throw badRequest('messages: Field required');
  if (!Array.isArray(messages)) throw badRequest('messages: Input should be a valid list');
  if (messages.length === 0) throw badRequest('messages: at least one message is required');
  for (const [index, message] of messages.entries()) checkMessage(message, `messages.${index}`);
  const turns = mergeTurns(objectsOf(messages));
  const first = turns.find((turn) => turn['role'] !== 'system');
  if (first?.['role'] !== 'user') throw badRequest('messages: first message must use the "user" role');
  checkToolPairs(turns, thinks);
  return turns;
}

/** The blocks of a message, or of anything with a `content`; a string is one text block. */
export function blocksOf(message: JsonObject | undefined): readonly JsonObject[] {
  const content = message?.['content'];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content);
}

export function textOfBlocks(message: JsonObject | undefined): string {
  return blocksOf(message)
    .filter((block) => block['type'] === 'text')
    .map((block) => String(block['text']))
    .join('\n');
}

function checkMessage(message: unknown, path: string): void {
  if (!isObject(message)) throw badRequest(`${path}: Input should be an object`);
  if (!ROLES.has(message['role'])) throw badRequest(`${path}.role: Input should be 'user', 'assistant' or 'system'`);
  const content = message['content'];
  if (typeof content !== 'string' && !Array.isArray(content)) throw badRequest(`${path}.content: Field required`);
  if (content.length === 0) throw badRequest(`${path}: content must not be empty`);
  for (const [index, block] of blocksOf(message).entries()) checkBlock(block, `${path}.content.${index}`);
}

function checkBlock(block: JsonObject, path: string): void {
  switch (block['type']) {
    case 'text':
      if (typeof block['text'] !== 'string') throw badRequest(`${path}.text.text: Field required`);
      if (block['text'].trim() === '')
        throw badRequest(`${path}: text content blocks must contain non-whitespace text`);
      return;
    case 'tool_use':
      checkToolUseId(block['id'], `${path}.tool_use.id`);
      if (!isObject(block['input'])) throw badRequest(`${path}.tool_use.input: Input should be an object`);
      return;
    case 'tool_result':
      checkToolUseId(block['tool_use_id'], `${path}.tool_result.tool_use_id`);
      return;
    case 'thinking':
      if (block['cache_control'] !== undefined) throw badRequest(`${path}.thinking.cache_control: not permitted`);
      if (typeof block['thinking'] !== 'string') throw badRequest(`${path}.thinking.thinking: Field required`);
      if (typeof block['signature'] !== 'string') throw badRequest(`${path}.thinking.signature: Field required`);
      if (!verifyThinking(block['thinking'], block['signature'])) {
        throw badRequest(`${path}: Invalid \`signature\` in \`thinking\` block`);
      }
      return;
    case 'redacted_thinking':
      throw badRequest(`${path}: Invalid \`data\` in \`redacted_thinking\` block`);
  }
}

function checkToolUseId(id: unknown, path: string): void {
  if (typeof id !== 'string') throw badRequest(`${path}: Field required`);
  if (!TOOL_USE_ID.test(id)) throw badRequest(`${path}: String should match pattern '${TOOL_USE_ID.source}'`);
}

/** Turns of role `system` may come between a question and its answer; they do not end a turn. */
function mergeTurns(messages: readonly JsonObject[]): JsonObject[] {
  const turns: JsonObject[] = [];
  /** The blocks of the last turn, once it has more than one message. */
  let merged: JsonObject[] | null = null;
  for (const message of messages) {
    const last = turns.at(-1);
    if (last?.['role'] !== message['role']) {
      turns.push(message);
      merged = null;
      continue;
    }
    if (merged === null) {
      merged = [...blocksOf(last)];
      turns[turns.length - 1] = { ...last, content: merged };
    }
    for (const block of blocksOf(message)) merged.push(block);
  }
  return turns;
}

function checkToolPairs(turns: readonly JsonObject[], thinks: boolean): void {
  const spoken = turns.filter((turn) => turn['role'] !== 'system');
  const lastQuestion = spoken.findLastIndex((turn) => turn['role'] === 'user' && !answersTools(turn));
  const seen = new Set<unknown>();
  let open: readonly unknown[] = [];
  for (const [index, turn] of spoken.entries()) {
    const blocks = blocksOf(turn);
    checkResults(blocks, open, index);
    const calls = turn['role'] === 'assistant' ? blocks.filter((block) => block['type'] === 'tool_use') : [];
    open = calls.map((call) => call['id']);
    for (const id of open) {
      if (seen.has(id)) throw badRequest(`messages.${index}: \`tool_use\` ids must be unique`);
      seen.add(id);
    }
    if (thinks && open.length > 0 && index > lastQuestion && !isThinking(blocks[0])) {
      throw badRequest(
        `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(blocks[0]?.['type'])}\``,
      );
    }
  }
  if (open.length > 0) throw unanswered(spoken.length - 1, open);
}

/** Results must come first in the very next turn, one for each call, and nowhere else. */
function checkResults(blocks: readonly JsonObject[], open: readonly unknown[], index: number): void {
  const results = blocks.filter((block) => block['type'] === 'tool_result');
  const ids = new Set(open);
  const stray = results.find((result) => !ids.has(result['tool_use_id']));
  if (stray !== undefined) {
    throw badRequest(
      `messages.${index}: unexpected \`tool_use_id\` in a \`tool_result\` block: ${String(stray['tool_use_id'])}. Each must have its \`tool_use\` block in the previous message.`,
    );
  }
  const leading = new Set(blocks.slice(0, open.length).map((block) => block['tool_use_id']));
  const missing = open.filter((id) => !leading.has(id));
  if (missing.length > 0) throw unanswered(index - 1, missing);
}

function unanswered(index: number, ids: readonly unknown[]): Error {
  return badRequest(
    `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}`,
  );
}

/** Whether a user turn has tool results. An assistant turn is in the current tool loop if only such user turns follow it. */
function answersTools(turn: JsonObject): boolean {
  return blocksOf(turn)[0]?.['type'] === 'tool_result';
}

function isThinking(block: JsonObject | undefined): boolean {
  return block?.['type'] === 'thinking' || block?.['type'] === 'redacted_thinking';
}
