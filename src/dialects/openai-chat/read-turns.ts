/**
 * Puts messages together into turns. Results are kept with the turn whose calls they answer, wherever in the list they
 * stood, and open the user turn after it; a call that nobody answered gets a result that says so.
 */
import type { AssistantBlock, TextBlock, ToolResultBlock, Turn, UserBlock } from '../../chat/request.ts';
import { refuseRepeatedIds } from './read-assistant.ts';
import { textBlock } from './read-parts.ts';

/** A user's block that stands where the user put it; results are placed by their calls. */
export type SpokenBlock = Exclude<UserBlock, ToolResultBlock>;

type Draft =
  | { readonly role: 'user'; readonly blocks: SpokenBlock[] }
  | { readonly role: 'system'; readonly blocks: TextBlock[] }
  | AssistantDraft;

interface AssistantDraft {
  readonly role: 'assistant';
  readonly blocks: AssistantBlock[];
  readonly results: Map<string, ToolResultBlock>;
}

export class TurnsBuilder {
  readonly #system: TextBlock[] = [];
  readonly #drafts: Draft[] = [];
  /** The turn that made the call of this id last; some clients use an id again in a later turn. */
  readonly #callers = new Map<string, AssistantDraft>();

  /** Instructions: before the conversation, or in the middle of it. */
  system(blocks: readonly TextBlock[]): void {
    if (blocks.length === 0) return;
    const last = this.#drafts.at(-1);
    if (last === undefined) this.#system.push(...blocks);
    else if (last.role === 'system') last.blocks.push(...blocks);
    else this.#drafts.push({ role: 'system', blocks: [...blocks] });
  }

  user(blocks: readonly SpokenBlock[]): void {
    if (blocks.length === 0) return;
    const last = this.#drafts.at(-1);
    if (last?.role === 'user') last.blocks.push(...blocks);
    else this.#drafts.push({ role: 'user', blocks: [...blocks] });
  }

  /** `path` is the message's, for the error when an id is given twice. */
  assistant(blocks: readonly AssistantBlock[], path: string): void {
    if (blocks.length === 0) return;
    refuseRepeatedIds(blocks, path);
    let draft = this.#drafts.at(-1);
    if (draft?.role !== 'assistant' || draft.results.size > 0 || repeatsCall(draft.blocks, blocks)) {
      draft = { role: 'assistant', blocks: [], results: new Map() };
      this.#drafts.push(draft);
    }
    draft.blocks.push(...blocks);
    for (const block of blocks) if (block.type === 'tool_call') this.#callers.set(block.id, draft);
  }

  /** False when no message before made this call. Of two results for one call the second adds to the first. */
  result(result: ToolResultBlock): boolean {
    const caller = this.#callers.get(result.callId);
    if (caller === undefined) return false;
    const known = caller.results.get(result.callId);
    const whole =
      known === undefined
        ? result
        : { ...result, content: [...known.content, ...result.content], cache: result.cache ?? known.cache };
    caller.results.set(result.callId, whole);
    return true;
  }

  /** The id of the last call of this name, for results of the old kind, which bear a name only. */
  lastCallOf(name: string): string | null {
    for (const draft of this.#drafts.toReversed()) {
      if (draft.role !== 'assistant') continue;
      for (const block of draft.blocks.toReversed()) {
        if (block.type === 'tool_call' && block.name === name) return block.id;
      }
    }
    return null;
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

/** A call that was made once more, because nobody answered it: then the first one ended a turn. */
function repeatsCall(before: readonly AssistantBlock[], blocks: readonly AssistantBlock[]): boolean {
  const ids = new Set(before.map((block) => (block.type === 'tool_call' ? block.id : null)));
  return blocks.some((block) => block.type === 'tool_call' && ids.has(block.id));
}

/** In the order of the calls. Calls at the very end of the conversation may still be open. */
function resultsOf(draft: AssistantDraft, isFollowed: boolean, warnings: Set<string>): readonly ToolResultBlock[] {
  if (!isFollowed && draft.results.size === 0) return [];
  return draft.blocks
    .filter((block) => block.type === 'tool_call')
    .map(({ id }) => {
      const result = draft.results.get(id);
      if (result !== undefined) return result;
      warnings.add('a tool call in messages has no result; the model is told that none was given');
      return { type: 'tool_result', callId: id, content: [NOTHING_GIVEN], isError: true, cache: null };
    });
}

const NOTHING_GIVEN: TextBlock = textBlock('No result was given.', null);
