/**
 * Turns as contents. The API requires a user's content first, and directly after a content with function calls one with as many responses.
 * Instructions may stand only at the top; later ones become the user's.
 *
 * https://ai.google.dev/gemini-api/docs/function-calling
 */
import type { TextBlock, ToolResultBlock, Turn, UserBlock } from '../../../chat/request.ts';
import type { DialectTarget } from '../quirks.ts';
import { AssistantParts } from './assistant-parts.ts';
import { type PartBlock, writeParts, writeResult } from './write-content.ts';
import type { Written } from './written.ts';

export interface WireContent {
  readonly role: 'user' | 'model';
  readonly parts: Written[];
}

/** Throws `GatewayError` 400 for media that the provider cannot read. */
export function writeMessages(
  turns: readonly Turn[],
  target: DialectTarget,
  warnings: Set<string>,
): readonly WireContent[] {
  const contents: WireContent[] = [];
  /** Id → name of the calls so far: a response is for a name. */
  const names = new Map<string, string>();
  const lastQuestion = turns.findLastIndex(isQuestion);
  let waiting: readonly TextBlock[] = [];
  for (const [index, turn] of turns.entries()) {
    switch (turn.role) {
      case 'system':
        // Only responses may follow calls.
        waiting = [...waiting, ...turn.blocks];
        break;
      case 'user': {
        const results = turn.blocks.filter((block) => block.type === 'tool_result');
        const after = appendResults(contents, results, { names, target, warnings });
        append(contents, 'user', [...reminders(waiting), ...after, ...spoken(turn.blocks, target, warnings)]);
        waiting = [];
        break;
      }
      case 'assistant': {
        append(contents, 'user', reminders(waiting));
        waiting = [];
        if (contents.length === 0) begin(contents, warnings);
        for (const block of turn.blocks) if (block.type === 'tool_call') names.set(block.id, block.name);
        // The API checks signatures since the user last said something.
        const isChecked = target.quirks.signedCalls && index > lastQuestion;
        append(contents, 'model', new AssistantParts(turn.blocks, isChecked, warnings).parts);
      }
    }
  }
  append(contents, 'user', reminders(waiting));
  if (contents.length === 0) begin(contents, warnings);
  return contents;
}

function begin(contents: WireContent[], warnings: Set<string>): void {
  warnings.add('a first turn was added, because the conversation must start with the user');
  append(contents, 'user', [{ text: FIRST_TURN }]);
}

/** Meaningless, but not blank. */
const FIRST_TURN = '.';

interface ResultContext {
  readonly names: ReadonlyMap<string, string>;
  readonly target: DialectTarget;
  readonly warnings: Set<string>;
}

/** Responses are a content of their own; returns what must follow them. */
function appendResults(
  contents: WireContent[],
  results: readonly ToolResultBlock[],
  { names, target, warnings }: ResultContext,
): readonly Written[] {
  if (results.length === 0) return [];
  const written = results.map((result) =>
    writeResult(result, names.get(result.callId) ?? result.callId, target, warnings),
  );
  contents.push({ role: 'user', parts: written.map(({ response }) => response) });
  return written.flatMap(({ after }) => after);
}

function spoken(blocks: readonly UserBlock[], target: DialectTarget, warnings: Set<string>): readonly Written[] {
  return blocks
    .filter((block): block is PartBlock => block.type !== 'tool_result')
    .flatMap((block) => writeParts(block, target, warnings));
}

function reminders(blocks: readonly TextBlock[]): readonly Written[] {
  return blocks.map(({ text }) => ({ text: `<system-reminder>\n${text}\n</system-reminder>` }));
}

/** Joins adjacent contents of one role, but nothing to responses. */
function append(contents: WireContent[], role: WireContent['role'], parts: readonly Written[]): void {
  if (parts.length === 0) return;
  const last = contents.at(-1);
  // Responses are a content of their own, so its first part is enough: work that grows with each part would be quadratic.
  const joins = last?.role === role && !('functionResponse' in (last.parts[0] ?? {}));
  if (!joins) contents.push({ role, parts: [...parts] });
  else for (const part of parts) last.parts.push(part);
}

/** Whether the user says something, and does not only answer calls. */
function isQuestion(turn: Turn): boolean {
  return turn.role === 'user' && turn.blocks.every(({ type }) => type !== 'tool_result');
}
