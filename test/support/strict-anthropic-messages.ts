/** What the Messages API refuses of a conversation. https://docs.anthropic.com/en/api/messages */
import type { Traits } from './strict-anthropic-rules.ts';
import { isSigned } from './strict-commands.ts';
import { isObject, type JsonObject, listOf, Refusal } from './strict-server.ts';

const ID = /^[a-zA-Z0-9_-]+$/;
const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  text: ['text', 'citations'],
  image: ['source'],
  document: ['source', 'title', 'context', 'citations'],
  tool_use: ['id', 'name', 'input', 'caller'],
  tool_result: ['tool_use_id', 'content', 'is_error'],
  thinking: ['thinking', 'signature'],
  redacted_thinking: ['data'],
};
const OF_ROLE: Readonly<Record<string, readonly string[]>> = {
  user: ['text', 'image', 'document', 'tool_result'],
  assistant: ['text', 'tool_use', 'thinking', 'redacted_thinking'],
  system: ['text'],
};
/** The first bytes of each kind of image: a type that does not match the bytes is refused. */
const MAGIC: Readonly<Record<string, string>> = {
  'image/png': '89504e47',
  'image/jpeg': 'ffd8ff',
  'image/gif': '47494638',
  'image/webp': '52494646',
};

export function checkMessages(messages: unknown, model: Traits & { readonly thinks: boolean }): void {
  if (!Array.isArray(messages)) throw refused('messages: Field required');
  if (messages.length === 0) throw refused('messages: at least one message is required');
  const turns = listOf(messages);
  turns.forEach((turn, index) => {
    checkTurn(turn, `messages.${index}`, model.systemAnywhere);
  });
  checkInstructions(turns);
  const spoken = turns.filter((turn) => turn['role'] !== 'system');
  if (spoken[0]?.['role'] !== 'user') throw refused('messages: first message must use the "user" role');
  checkToolPairs(spoken);
  if (model.thinks) checkOpenLoop(spoken);
  if (spoken.at(-1)?.['role'] === 'assistant') checkPrefill(spoken.at(-1), model);
}

/** https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages */
function checkInstructions(turns: readonly JsonObject[]): void {
  turns.forEach((turn, index) => {
    if (turn['role'] !== 'system') return;
    const before = turns[index - 1]?.['role'];
    const after = turns[index + 1]?.['role'] ?? 'assistant';
    if (before !== 'user') throw refused(`messages.${index}: role 'system' must immediately follow a user message`);
    if (after !== 'assistant') {
      throw refused(`messages.${index}: role 'system' must be last or be followed by an assistant message`);
    }
  });
}

function blocksOf(turn: JsonObject | undefined): readonly JsonObject[] {
  const content = turn?.['content'];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
}

function checkTurn(turn: JsonObject, at: string, systemAnywhere: boolean): void {
  allow(turn, ['role', 'content'], `${at}.`);
  const kinds = OF_ROLE[String(turn['role'])];
  if (kinds === undefined) throw refused(`${at}.role: Input should be 'user' or 'assistant'`);
  if (turn['role'] === 'system' && !systemAnywhere)
    throw refused(`${at}: role 'system' is not supported on this model`);
  const blocks = blocksOf(turn);
  if (blocks.length === 0) throw refused(`${at}: all messages must have non-empty content`);
  blocks.forEach((block, index) => {
    checkBlock(block, `${at}.content.${index}`, kinds);
  });
}

function checkBlock(block: JsonObject, at: string, kinds: readonly string[]): void {
  const type = String(block['type']);
  const fields = FIELDS[type];
  if (fields === undefined || !kinds.includes(type)) throw refused(`${at}: Input tag '${type}' found using 'type'`);
  const cacheable = !type.includes('thinking');
  allow(block, ['type', ...fields, ...(cacheable ? ['cache_control'] : [])], `${at}.${type}.`);
  switch (type) {
    case 'text':
      if (typeof block['text'] !== 'string') throw refused(`${at}.text.text: Input should be a valid string`);
      if (block['text'] === '') throw refused('messages: text content blocks must be non-empty');
      if (block['text'].trim() === '') throw refused('messages: text content blocks must contain non-whitespace text');
      return;
    case 'image':
    case 'document':
      return checkSource(block['source'], type, at);
    case 'tool_use':
      if (!ID.test(String(block['id']))) throw refused(`${at}.tool_use.id: String should match pattern '${ID.source}'`);
      if (!NAME.test(String(block['name']))) throw refused(`${at}.tool_use.name: String should match '${NAME.source}'`);
      if (!isObject(block['input'])) throw refused(`${at}.tool_use.input: Input should be an object`);
      return;
    case 'tool_result':
      return checkResult(block, at);
    case 'thinking':
      if (typeof block['thinking'] !== 'string') throw refused(`${at}.thinking.thinking: Field required`);
      if (!isSigned(block['thinking'], block['signature'])) {
        throw refused(`${at}: Invalid \`signature\` in \`thinking\` block`);
      }
      return;
    case 'redacted_thinking':
      if (!isSigned('redacted', block['data'])) throw refused(`${at}: Invalid \`data\` in \`redacted_thinking\` block`);
      return;
  }
}

function checkSource(source: unknown, kind: 'image' | 'document', at: string): void {
  if (!isObject(source)) throw refused(`${at}.source: Field required`);
  const { type, media_type: mediaType, data, url } = source;
  if (type === 'url') {
    allow(source, ['type', 'url'], `${at}.source.url.`);
    if (typeof url !== 'string' || !url.startsWith('https://')) throw refused('Only HTTPS URLs are supported.');
    return;
  }
  if (typeof data !== 'string' || data === '') throw refused(`${at}.source.data: Field required`);
  if (kind === 'document' && type === 'text' && mediaType === 'text/plain') return;
  if (type !== 'base64') throw refused(`${at}.source: Input tag '${String(type)}' does not match`);
  const bytes = Buffer.from(data, 'base64');
  if (kind === 'document') {
    if (mediaType !== 'application/pdf') throw refused(`${at}.source.media_type: Input should be 'application/pdf'`);
    if (!bytes.toString('latin1').startsWith('%PDF')) throw refused('The PDF specified was not valid.');
    return;
  }
  const magic = MAGIC[String(mediaType)];
  if (magic === undefined)
    throw refused(`${at}.source.base64.media_type: Input should be ${Object.keys(MAGIC).join()}`);
  if (!bytes.toString('hex').startsWith(magic)) {
    throw refused(
      `${at}.source.base64: The image was specified using the ${mediaType} media type, but does not appear to be one`,
    );
  }
}

function checkResult(block: JsonObject, at: string): void {
  if (!ID.test(String(block['tool_use_id']))) {
    throw refused(`${at}.tool_result.tool_use_id: String should match pattern '${ID.source}'`);
  }
  if (block['is_error'] !== undefined && typeof block['is_error'] !== 'boolean') {
    throw refused(`${at}.tool_result.is_error: Input should be a valid boolean`);
  }
  const { content } = block;
  if (content === undefined || typeof content === 'string') return;
  if (!Array.isArray(content)) throw refused(`${at}.tool_result.content: Input should be a valid list`);
  listOf(content).forEach((part, index) => {
    checkBlock(part, `${at}.tool_result.content.${index}`, ['text', 'image', 'document']);
  });
}

/** Every call is answered in the very next turn, before anything else in it. */
function checkToolPairs(turns: readonly JsonObject[]): void {
  const seen = new Set<unknown>();
  let open: readonly unknown[] = [];
  turns.forEach((turn, index) => {
    const blocks = blocksOf(turn);
    const answered = blocks.filter((block) => block['type'] === 'tool_result').map((block) => block['tool_use_id']);
    const stray = answered.find((id) => !open.includes(id));
    if (stray !== undefined) {
      throw refused(
        `messages.${index}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(stray)}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      );
    }
    if (new Set(answered).size < answered.length) {
      throw refused(`messages.${index}: each tool_use must have a single result.`);
    }
    const first = blocks.slice(0, open.length).map((block) => block['tool_use_id']);
    const missing = open.filter((id) => !first.includes(id));
    if (missing.length > 0) throw unanswered(index - 1, missing);
    open = blocks.filter((block) => block['type'] === 'tool_use').map((block) => block['id']);
    for (const id of open) {
      if (seen.has(id)) throw refused(`messages.${index}: \`tool_use\` ids must be unique`);
      seen.add(id);
    }
  });
  if (open.length > 0) throw unanswered(turns.length - 1, open);
}

function unanswered(index: number, ids: readonly unknown[]): Error {
  return refused(
    `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  );
}

/** While the model waits for a tool it continues its thought, which must be in its original place. */
function checkOpenLoop(turns: readonly JsonObject[]): void {
  const question = turns.findLastIndex(
    (turn) => turn['role'] === 'user' && !blocksOf(turn).some((block) => block['type'] === 'tool_result'),
  );
  turns.forEach((turn, index) => {
    if (index <= question || turn['role'] !== 'assistant') return;
    const first = String(blocksOf(turn)[0]?.['type']);
    if (first === 'thinking' || first === 'redacted_thinking') return;
    throw refused(
      `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`,
    );
  });
}

function checkPrefill(turn: JsonObject | undefined, model: Traits & { readonly thinks: boolean }): void {
  if (!model.prefill || model.thinks) {
    throw refused(
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    );
  }
  const last = blocksOf(turn).at(-1);
  if (/\s$/.test(String(last?.['text'] ?? ''))) {
    throw refused('messages: final assistant content cannot end with trailing whitespace');
  }
}

export function allow(value: JsonObject, names: readonly string[], at: string): void {
  const stranger = Object.keys(value).find((name) => !names.includes(name));
  if (stranger !== undefined) throw refused(`${at}${stranger}: Extra inputs are not permitted`);
}

export function refused(message: string): Refusal {
  return new Refusal(400, message);
}
