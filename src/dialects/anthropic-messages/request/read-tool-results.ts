/**
 * Puts every tool's result directly after its call. The API requires that of its callers; in other formats a call without a result is
 * refused, or makes the model wait for it.
 */
import type { ToolCallBlock, ToolResultBlock, Turn, UserBlock } from '../../../chat/request.ts';
import { invalid } from '../../kit/errors/request-errors.ts';

/** Where calls and results were in the request, for messages about them. */
export type Paths = Map<ToolCallBlock | ToolResultBlock, string>;

/**
 * The same turns, the results first in the turn after their calls and in the order of the calls. Instructions
 * between a call and its results come after those. Throws `GatewayError` 400 for a result without a call.
 */
export function answerCalls(turns: readonly Turn[], paths: Paths, warnings: Set<string>): Turn[] {
  const answered: Turn[] = [];
  for (let index = 0; index < turns.length; index++) {
    const turn = turns[index] as Turn;
    if (turn.role === 'user') refuseOrphans(turn.blocks, paths);
    answered.push(turn);
    const calls = callsOf(turn, paths);
    if (calls.length === 0 || index === turns.length - 1) continue;
    const between = turns[index + 1];
    const system = between?.role === 'system' ? between : null;
    if (system !== null) index++;
    const next = turns[index + 1];
    const user = next?.role === 'user' ? next : null;
    if (user !== null) index++;
    const { results, rest } = pair(calls, user?.blocks ?? [], paths, warnings);
    if (system === null) {
      answered.push({ role: 'user', blocks: [...results, ...rest] });
      continue;
    }
    answered.push({ role: 'user', blocks: results }, system);
    if (rest.length > 0) answered.push({ role: 'user', blocks: rest });
  }
  return answered;
}

function callsOf(turn: Turn, paths: Paths): readonly ToolCallBlock[] {
  if (turn.role !== 'assistant') return [];
  const calls = turn.blocks.filter((block) => block.type === 'tool_call');
  const seen = new Set<string>();
  for (const call of calls) {
    if (seen.has(call.id)) throw invalid(paths.get(call) ?? 'messages', 'Two tool calls of one turn have the same id.');
    seen.add(call.id);
  }
  return calls;
}

function pair(
  calls: readonly ToolCallBlock[],
  blocks: readonly UserBlock[],
  paths: Paths,
  warnings: Set<string>,
): { readonly results: readonly ToolResultBlock[]; readonly rest: readonly UserBlock[] } {
  const given = new Map<string, ToolResultBlock>();
  const expected = new Set(calls.map((call) => call.id));
  const rest: UserBlock[] = [];
  for (const block of blocks) {
    if (block.type !== 'tool_result') {
      rest.push(block);
      continue;
    }
    if (!expected.has(block.callId)) throw orphan(block, paths);
    if (given.has(block.callId)) {
      throw invalid(paths.get(block) ?? 'messages', 'Two tool results answer the same call.');
    }
    given.set(block.callId, block);
  }
  const results = calls.map((call) => given.get(call.id) ?? unanswered(call, warnings));
  return { results, rest };
}

/** A call that was cut short, as when a user stops an agent. */
function unanswered(call: ToolCallBlock, warnings: Set<string>): ToolResultBlock {
  warnings.add('a tool call without a result was given one that says so');
  const text = { type: 'text', text: 'There is no result: the call was not completed.', cache: null } as const;
  return { type: 'tool_result', callId: call.id, content: [text], isError: true, cache: null };
}

function refuseOrphans(blocks: readonly UserBlock[], paths: Paths): void {
  for (const block of blocks) if (block.type === 'tool_result') throw orphan(block, paths);
}

function orphan(result: ToolResultBlock, paths: Paths): Error {
  return invalid(paths.get(result) ?? 'messages', 'A tool result answers no tool call of the turn before it.');
}
