/**
 * Joins messages into turns. Results are kept with the turn whose calls they answer, wherever they were in the list, and open the user turn
 * after it; a call without a result gets one that says so.
 */
import type { AssistantBlock, TextBlock, ToolResultBlock, Turn, UserBlock } from '../../../chat/request.ts';

/** A user's block that keeps its position; results are placed by their calls. */
export type SpokenBlock = Exclude<UserBlock, ToolResultBlock>;

type Draft =
  | { readonly role: 'user'; readonly blocks: SpokenBlock[] }
  | { readonly role: 'system'; readonly blocks: TextBlock[] }
  | AssistantDraft;

interface AssistantDraft {
  readonly role: 'assistant';
  readonly blocks: AssistantBlock[];
  /** The ids of its calls. */
  readonly calls: Set<string>;
  readonly results: Map<string, Result>;
}

/** A call may be answered by several messages. */
type Result = Omit<ToolResultBlock, 'content'> & { readonly content: ToolResultBlock['content'][number][] };

export class TurnsBuilder {
  readonly #system: TextBlock[] = [];
  readonly #drafts: Draft[] = [];
  /** The turn with the last call of this id; some clients reuse an id in a later turn. */
  readonly #callers = new Map<string, AssistantDraft>();
  /** Name → id of the last call. */
  readonly #lastCalls = new Map<string, string>();

  /** Instructions: before the conversation, or in the middle of it. */
  system(blocks: readonly TextBlock[]): void {
    if (blocks.length === 0) return;
    const last = this.#drafts.at(-1);
    if (last === undefined) addAll(this.#system, blocks);
    else if (last.role === 'system') addAll(last.blocks, blocks);
    else this.#drafts.push({ role: 'system', blocks: [...blocks] });
  }

  user(blocks: readonly SpokenBlock[]): void {
    if (blocks.length === 0) return;
    const last = this.#drafts.at(-1);
    if (last?.role === 'user') addAll(last.blocks, blocks);
    else this.#drafts.push({ role: 'user', blocks: [...blocks] });
  }

  /** The calls among the blocks have different ids. */
  assistant(blocks: readonly AssistantBlock[]): void {
    if (blocks.length === 0) return;
    let draft = this.#drafts.at(-1);
    if (draft?.role !== 'assistant' || draft.results.size > 0 || repeatsCall(draft, blocks)) {
      draft = { role: 'assistant', blocks: [], calls: new Set(), results: new Map() };
      this.#drafts.push(draft);
    }
    addAll(draft.blocks, blocks);
    for (const block of blocks) {
      if (block.type !== 'tool_call') continue;
      draft.calls.add(block.id);
      this.#callers.set(block.id, draft);
      this.#lastCalls.set(block.name, block.id);
    }
  }

  /** False when no earlier message made this call. A second result for a call is appended to the first. */
  result(result: ToolResultBlock): boolean {
    const caller = this.#callers.get(result.callId);
    if (caller === undefined) return false;
    const known = caller.results.get(result.callId);
    const content = known?.content ?? [];
    addAll(content, result.content);
    caller.results.set(result.callId, { ...result, content, cache: result.cache ?? known?.cache ?? null });
    return true;
  }

  /** The id of the last call of this name, for deprecated results, which have only a name. */
  lastCallOf(name: string): string | null {
    return this.#lastCalls.get(name) ?? null;
  }

  finish(warnings: Set<string>): { readonly system: readonly TextBlock[]; readonly turns: readonly Turn[] } {
    const turns: Turn[] = [];
    let due: readonly ToolResultBlock[] = [];
    this.#drafts.forEach((draft, index) => {
      if (due.length > 0 || draft.role === 'user') {
        turns.push({ role: 'user', blocks: [...due, ...(draft.role === 'user' ? draft.blocks : [])] });
      }
      due = [];
      if (draft.role === 'system') turns.push({ role: 'system', blocks: draft.blocks });
      if (draft.role !== 'assistant') return;
      turns.push({ role: 'assistant', blocks: draft.blocks });
      due = resultsOf(draft, index < this.#drafts.length - 1, warnings);
    });
    if (due.length > 0) turns.push({ role: 'user', blocks: due });
    return { system: this.#system, turns };
  }
}

/** Whether a call is repeated because it had no result: the first one then ended a turn. */
function repeatsCall({ calls }: AssistantDraft, blocks: readonly AssistantBlock[]): boolean {
  return blocks.some((block) => block.type === 'tool_call' && calls.has(block.id));
}

/** One by one: spreading many would overflow the stack. */
function addAll<Item>(items: Item[], more: readonly Item[]): void {
  for (const item of more) items.push(item);
}

/** In the order of the calls. Calls at the very end of the conversation may still be open. */
function resultsOf(draft: AssistantDraft, isFollowed: boolean, warnings: Set<string>): readonly ToolResultBlock[] {
  if (!isFollowed && draft.results.size === 0) return [];
  return draft.blocks
    .filter((block) => block.type === 'tool_call')
    .map(({ id }) => {
      const result = draft.results.get(id);
      if (result !== undefined) return result;
      warnings.add('a tool call in the conversation has no result; a result that says so was added');
      return { type: 'tool_result', callId: id, content: [NOTHING_GIVEN], isError: true, cache: null };
    });
}

const NOTHING_GIVEN: TextBlock = { type: 'text', text: 'No result was given.', cache: null };
