/**
 * Turns as messages. The API requires a user's message first, one user message with all results directly after their calls, no blank text,
 * and instructions in the middle (if it accepts them) as one message between a user's and an answer, or at the end.
 *
 * https://docs.anthropic.com/en/api/messages
 * https://platform.claude.com/docs/en/build-with-claude/mid-conversation-system-messages
 * https://docs.anthropic.com/en/docs/agents-and-tools/tool-use/implement-tool-use
 */
import type { TextBlock, Turn } from '../../../chat/request.ts';
import { unsupported } from '../../kit/errors/request-errors.ts';
import { WireIds } from '../../kit/request/wire-ids.ts';
import type { DialectTarget } from '../quirks.ts';
import type { CacheMarks, WireBlock } from './cache-marks.ts';
import { leavesSomething, writeAssistantBlock, writeTextBlocks, writeUserBlock } from './write-content.ts';

export interface WireMessage {
  readonly role: Turn['role'];
  readonly content: WireBlock[];
}

/** Throws `GatewayError` 400 for audio, and for an answer to continue if the model cannot. */
export function writeMessages(
  turns: readonly Turn[],
  target: DialectTarget,
  marks: CacheMarks,
  warnings: Set<string>,
): { readonly messages: readonly WireMessage[]; readonly prefilled: boolean } {
  const messages: WireMessage[] = [];
  const ids = new WireIds();
  if (turns[0]?.role !== 'user') {
    warnings.add('a first turn was added, because the conversation must start with the user');
    append(messages, 'user', [{ type: 'text', text: FIRST_TURN }]);
  }
  let waiting: TextBlock[] = [];
  const instruct = () => {
    writeInstructions(messages, waiting, target, marks);
    waiting = [];
  };
  for (const turn of turns) {
    switch (turn.role) {
      case 'system':
        for (const block of turn.blocks) waiting.push(block);
        // Only its results may follow a call.
        if (!target.quirks.systemAnywhere && messages.at(-1)?.role !== 'assistant') instruct();
        break;
      case 'user': {
        const results = turn.blocks.filter((block) => block.type === 'tool_result');
        const rest = turn.blocks.filter((block) => block.type !== 'tool_result');
        append(
          messages,
          'user',
          results.flatMap((block) => writeUserBlock(block, ids, marks)),
        );
        if (!target.quirks.systemAnywhere) instruct();
        append(
          messages,
          'user',
          rest.flatMap((block) => writeUserBlock(block, ids, marks)),
        );
        break;
      }
      case 'assistant':
        // Nothing is left of a turn with only other vendors' thoughts; the user's turns are then joined.
        if (turn.blocks.some(leavesSomething)) instruct();
        append(
          messages,
          'assistant',
          turn.blocks.flatMap((block) => writeAssistantBlock(block, ids, marks, warnings)),
        );
        break;
    }
  }
  instruct();
  return { messages, prefilled: endWithPrefill(messages, target, warnings) };
}

/** Meaningless, but not blank. */
const FIRST_TURN = '.';

/** As the model accepts them; after an answer of the assistant always as the user's. */
function writeInstructions(
  messages: WireMessage[],
  blocks: readonly TextBlock[],
  target: DialectTarget,
  marks: CacheMarks,
): void {
  if (blocks.length === 0) return;
  if (target.quirks.systemAnywhere && messages.at(-1)?.role === 'user') {
    append(messages, 'system', writeTextBlocks(blocks, marks));
  } else {
    append(messages, 'user', writeReminders(blocks, marks));
  }
}

/** The form in which Anthropic's models expect instructions inside a user's message. */
function writeReminders(blocks: readonly TextBlock[], marks: CacheMarks): WireBlock[] {
  return blocks.map((block) => {
    const text = `<system-reminder>\n${block.text}\n</system-reminder>`;
    return marks.mark({ type: 'text', text }, block.cache);
  });
}

/** Joins adjacent messages of one role; a message without content is a 400 at the API. */
function append(messages: WireMessage[], role: Turn['role'], content: WireBlock[]): void {
  if (content.length === 0) return;
  const last = messages.at(-1);
  if (last?.role !== role) messages.push({ role, content });
  // One by one: spreading a long turn would overflow the stack.
  else for (const block of content) last.content.push(block);
}

/** Whether the last message is the assistant's, for the model to continue. It must not end in white space. */
function endWithPrefill(messages: readonly WireMessage[], target: DialectTarget, warnings: Set<string>): boolean {
  const last = messages.at(-1);
  if (last?.role !== 'assistant') return false;
  const block = last.content.at(-1);
  if (!target.quirks.prefill || block?.['type'] !== 'text') {
    throw unsupported(
      'messages',
      target.quirks.prefill
        ? 'The last message must be from the user, or be text of the assistant to go on from.'
        : 'This model does not go on from an answer that was begun; the last message must be from the user.',
    );
  }
  const text = String(block['text']);
  block['text'] = text.trimEnd();
  if (block['text'] !== text) warnings.add('trailing white space of the started answer was left out');
  return true;
}
