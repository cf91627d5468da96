/**
 * Turns as messages. The API requires a user's message first, roles in turn, one user message with all results directly after their calls,
 * no blank text, and a text in each message with a document.
 *
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html
 */
import type { TextBlock, Turn } from '../../../chat/request.ts';
import { unsupported } from '../../kit/errors/request-errors.ts';
import type { DialectTarget } from '../quirks.ts';
import type { CachePoints, WireBlock } from './cache-points.ts';
import { ContentWriter } from './write-content.ts';

export interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly content: WireBlock[];
}

/** Throws `GatewayError` 400 for media that the API does not read, and for an answer to continue if the model cannot. */
export function writeMessages(
  turns: readonly Turn[],
  target: DialectTarget,
  points: CachePoints,
  warnings: Set<string>,
): { readonly messages: readonly WireMessage[]; readonly prefilled: boolean } {
  const writer = new ContentWriter(target.quirks, points, warnings);
  const messages: WireMessage[] = [];
  if (turns[0]?.role !== 'user') {
    warnings.add('a first turn was added, because the conversation must start with the user');
    messages.push({ role: 'user', content: [{ text: MEANINGLESS }] });
  }
  let waiting: TextBlock[] = [];
  const instruct = () => {
    if (waiting.length === 0) return;
    const content = contentFor(messages, 'user');
    for (const { text, cache } of waiting) writer.text(reminder(text), cache, content);
    waiting = [];
  };
  for (const turn of turns) {
    switch (turn.role) {
      case 'system':
        for (const block of turn.blocks) waiting.push(block);
        // Only its results may follow a call.
        if (messages.at(-1)?.role !== 'assistant') instruct();
        break;
      case 'user': {
        const content = contentFor(messages, 'user');
        for (const block of turn.blocks) if (block.type === 'tool_result') writer.user(block, content);
        instruct();
        for (const block of turn.blocks) if (block.type !== 'tool_result') writer.user(block, content);
        break;
      }
      case 'assistant': {
        // Nothing is left of a turn with only other vendors' thoughts; the user's turns are then joined.
        const isLeft = turn.blocks.some((block) => writer.leavesSomething(block));
        if (isLeft) instruct();
        const content = isLeft ? contentFor(messages, 'assistant') : [];
        for (const block of turn.blocks) writer.assistant(block, content);
        break;
      }
    }
  }
  instruct();
  const written = joined(messages);
  for (const { role, content } of written) if (role === 'user') addTextToDocuments(content);
  return { messages: written, prefilled: endWithPrefill(written, target, warnings) };
}

/** Not blank. */
const MEANINGLESS = '.';

/** The form in which Anthropic's models expect instructions inside a user's message. */
function reminder(text: string): string {
  return `<system-reminder>\n${text}\n</system-reminder>`;
}

/** The content of the last message if it has this role, otherwise of a new one. */
function contentFor(messages: WireMessage[], role: WireMessage['role']): WireBlock[] {
  const last = messages.at(-1);
  if (last?.role === role) return last.content;
  const content: WireBlock[] = [];
  messages.push({ role, content });
  return content;
}

/** Without empty messages, and without two of one role next to each other. */
function joined(messages: readonly WireMessage[]): readonly WireMessage[] {
  const written: WireMessage[] = [];
  for (const { role, content } of messages) {
    if (content.length === 0) continue;
    const before = written.at(-1)?.role === role ? written.at(-1) : undefined;
    if (before === undefined) written.push({ role, content });
    else for (const block of content) before.content.push(block);
  }
  return written;
}

function addTextToDocuments(content: WireBlock[]): void {
  const hasWords = content.some(({ text }) => typeof text === 'string' && text.trim() !== '');
  if (!hasWords && content.some((block) => 'document' in block)) content.push({ text: MEANINGLESS });
}

/** Whether the last message is the assistant's, for the model to continue. It must not end in white space. */
function endWithPrefill(messages: readonly WireMessage[], target: DialectTarget, warnings: Set<string>): boolean {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return false;
  const at = last.content.findLastIndex((block) => !('cachePoint' in block));
  const text = last.content[at]?.['text'];
  if (!target.quirks.prefill || typeof text !== 'string') {
    throw unsupported(
      'messages',
      target.quirks.prefill
        ? 'The last message must be from the user, or be text of the assistant to go on from.'
        : 'This model does not go on from an answer that was begun; the last message must be from the user.',
    );
  }
  last.content[at] = { text: text.trimEnd() };
  if (text.trimEnd() !== text) warnings.add('trailing white space of the started answer was left out');
  return true;
}
