/** What Converse refuses of a conversation. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html */
import type { Traits } from './strict-bedrock-rules.ts';
import { isSigned } from './strict-commands.ts';
import { isObject, type JsonObject, listOf, Refusal } from './strict-server.ts';

const OF_ROLE: Readonly<Record<string, readonly string[]>> = {
  user: ['text', 'image', 'document', 'audio', 'video', 'toolResult', 'cachePoint'],
  assistant: ['text', 'toolUse', 'reasoningContent', 'cachePoint'],
};
const ID = /^[a-zA-Z0-9_-]{1,64}$/;
const DOCUMENT_NAME = /^[A-Za-z0-9()[\]-]+( [A-Za-z0-9()[\]-]+)*$/;
const DOCUMENT_FORMATS = ['pdf', 'csv', 'doc', 'docx', 'xls', 'xlsx', 'html', 'txt', 'md'];
/** The first bytes of each kind of image: a type that does not match the bytes is refused. */
const MAGIC: Readonly<Record<string, string>> = { png: '89504e47', jpeg: 'ffd8ff', gif: '47494638', webp: '52494646' };

interface Known extends Traits {
  readonly thinks: boolean;
  readonly hasTools: boolean;
}

export function checkMessages(messages: unknown, model: Known): void {
  const turns = listOf(messages);
  if (turns.length === 0) throw refused('A conversation must have at least one message.');
  const names = new Set<string>();
  for (const [index, turn] of turns.entries()) {
    const role = index % 2 === 0 ? 'user' : 'assistant';
    if (index === 0 && turn['role'] !== 'user') throw refused('A conversation must start with a user message.');
    if (turn['role'] !== role)
      throw refused('A conversation must alternate between user and assistant roles. Make sure the roles alternate.');
    checkContent(turn, `messages.${index}`, model, names);
  }
  checkToolPairs(turns, model);
  const last = turns.at(-1);
  if (last?.['role'] === 'assistant' && !model.prefill)
    throw refused(
      'This model does not support assistant message prefill. The conversation must end with a user message.',
    );
  if (model.thinks && model.thinking === 'budget') checkOpenLoop(turns);
}

export function allow(object: JsonObject, fields: readonly string[], place: string): void {
  for (const name of Object.keys(object))
    if (!fields.includes(name)) throw refused(`${place}${name}: Extra inputs are not permitted`);
}

export function refused(message: string): Refusal {
  return new Refusal(400, message, { type: 'ValidationException' });
}

function checkContent(turn: JsonObject, place: string, model: Known, names: Set<string>): void {
  const blocks = listOf(turn['content']);
  if (blocks.length === 0) throw refused(`The content field in the Message object at ${place} is empty.`);
  for (const [index, block] of blocks.entries()) {
    const [kind = '', ...more] = Object.keys(block);
    if (more.length > 0 || OF_ROLE[String(turn['role'])]?.includes(kind) !== true)
      throw refused(`${place}.content.${index}: a block ${Object.keys(block).join()} is not permitted here`);
    // A line break is accepted between a document and a cache point.
    const isBetween = 'document' in (blocks[index - 1] ?? {}) && 'cachePoint' in (blocks[index + 1] ?? {});
    if (kind === 'text' && String(block['text']).trim() === '' && !isBetween)
      throw refused(`The text field in the ContentBlock object at ${place}.content.${index} is blank.`);
    checkMedia(block, names);
    checkVideo(block['video'], model);
    if (kind === 'reasoningContent') checkThought(block['reasoningContent'], model);
  }
  const hasText = blocks.some((block) => 'text' in block);
  if (blocks.some((block) => 'document' in block) && !hasText)
    throw refused('A text block is required in a message with a document.');
}

function checkMedia({ image, document }: JsonObject, names: Set<string>): void {
  if (isObject(image)) {
    const format = String(image['format']);
    const head = Buffer.from(bytesIn(image), 'base64').toString('hex', 0, 4);
    if (MAGIC[format] === undefined || !head.startsWith(MAGIC[format]))
      throw refused('Could not process image: the format does not match the bytes');
  }
  if (!isObject(document)) return;
  const name = String(document['name']);
  if (name.length > 200 || !DOCUMENT_NAME.test(name)) throw refused(`The document file name contains more: ${name}`);
  if (names.has(name)) throw refused(`Duplicate document name: ${name}`);
  names.add(name);
  if (!DOCUMENT_FORMATS.includes(String(document['format'])) || bytesIn(document) === '')
    throw refused('The document has an unknown format, or is empty');
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_VideoBlock.html */
const VIDEO_FORMATS = ['mkv', 'mov', 'mp4', 'webm', 'flv', 'mpeg', 'mpg', 'wmv', 'three_gp'];

function checkVideo(video: unknown, { family }: Known): void {
  if (!isObject(video)) return;
  if (family !== 'nova') throw refused("This model doesn't support the video field.");
  if (!VIDEO_FORMATS.includes(String(video['format'])) || bytesIn(video) === '')
    throw refused('The video has an unknown format, or is empty');
}

function bytesIn({ source }: JsonObject): string {
  return isObject(source) && typeof source['bytes'] === 'string' ? source['bytes'] : '';
}

function checkThought(thought: unknown, model: Known): void {
  if (model.family !== 'claude') throw refused("This model doesn't support the reasoningContent field.");
  const { reasoningText, redactedContent } = isObject(thought) ? thought : {};
  if (isObject(reasoningText)) {
    if (!isSigned(String(reasoningText['text']), reasoningText['signature']))
      throw refused('Invalid `signature` in `thinking` block');
  } else if (!isSigned('redacted', Buffer.from(String(redactedContent), 'base64').toString()))
    throw refused('Invalid `data` in `redacted_thinking` block');
}

function checkToolPairs(turns: readonly JsonObject[], { hasTools }: Known): void {
  const seen = new Set<string>();
  turns.forEach((turn, index) => {
    const uses = idsOf(turn, 'toolUse');
    const results = idsOf(turn, 'toolResult');
    if (uses.length + results.length > 0 && !hasTools)
      throw refused('The toolConfig field must be defined when using toolUse and toolResult content blocks.');
    for (const id of uses) {
      if (!ID.test(id)) throw refused(`toolUseId: ${id} does not match the pattern`);
      if (seen.has(id)) throw refused(`toolUse ids must be unique: ${id}`);
      seen.add(id);
    }
    const before = idsOf(turns[index - 1], 'toolUse');
    if (results.some((id) => !before.includes(id)) || results.length > before.length)
      throw refused('The number of toolResult blocks exceeds the number of toolUse blocks of previous turn.');
    const missing = before.filter((id) => !results.includes(id));
    if (missing.length > 0) throw refused(`Expected toolResult blocks for the following Ids: ${missing.join()}`);
    const first = listOf(turn['content']).findIndex((block) => !('toolResult' in block) && !('cachePoint' in block));
    const last = listOf(turn['content']).findLastIndex((block) => 'toolResult' in block);
    if (last > first && first !== -1) throw refused('toolResult blocks must come first');
  });
}

function idsOf(turn: JsonObject | undefined, kind: 'toolUse' | 'toolResult'): readonly string[] {
  const blocks = listOf(turn?.['content']).map((block) => block[kind]);
  return blocks.filter(isObject).map((block) => {
    if (kind === 'toolResult' && listOf(block['content']).length === 0) throw refused('toolResult.content is empty');
    if (kind === 'toolUse' && !isObject(block['input'])) throw refused('toolUse.input must be an object');
    return String(block['toolUseId']);
  });
}

/** A model that thinks by budget wants its thought back while its calls are open. */
function checkOpenLoop(turns: readonly JsonObject[]): void {
  const calling = turns.findLast((turn) => turn['role'] === 'assistant');
  const blocks = listOf(calling?.['content']);
  if (blocks.some((block) => 'toolUse' in block) && !('reasoningContent' in (blocks[0] ?? {})))
    throw refused('Expected `thinking` or `redacted_thinking`, but found `tool_use`.');
}
