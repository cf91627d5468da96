/** Joins the events of a stream into whole blocks, so that a whole answer can be read by the same rules as a stream. */
import type { JsonObject } from '../../../chat/request.ts';
import type { AnswerBlock, ChatEvent, Citation, OpenedBlock } from '../../../chat/response.ts';
import { addWarning, listWarnings } from '../../../chat/warnings.ts';
import { ToolInputs } from './tool-input.ts';

/** The blocks of a stream's events. Empty texts are kept, because they may have citations. */
export function gatherBlocks(events: readonly ChatEvent[]): AnswerBlock[] {
  const blocks: AnswerBlock[] = [];
  const inputs = new ToolInputs();
  let growing: Growing | null = null;
  for (const event of events) {
    if (event.type === 'block_start') growing = new Growing(event.block, inputs);
    else if (event.type === 'block_end' && growing !== null) blocks.push(growing.block());
    else growing?.add(event);
  }
  return blocks;
}

/** The warnings among them, without repeats. */
export function gatherWarnings(events: readonly ChatEvent[]): readonly string[] {
  const warnings = new Set<string>();
  for (const event of events) if (event.type === 'warning') addWarning(warnings, event.text);
  return listWarnings(warnings);
}

class Growing {
  readonly #opened: OpenedBlock;
  readonly #inputs: ToolInputs;
  #text = '';
  #signature: Extract<ChatEvent, { readonly type: 'signature' }> | null = null;
  readonly #citations: Citation[] = [];

  constructor(opened: OpenedBlock, inputs: ToolInputs) {
    this.#opened = opened;
    this.#inputs = inputs;
  }

  add(event: ChatEvent): void {
    if (event.type === 'text' || event.type === 'reasoning') this.#text += event.text;
    else if (event.type === 'arguments') this.#text += event.json;
    else if (event.type === 'citation') this.#citations.push(event.citation);
    else if (event.type === 'signature') this.#signature = event;
  }

  /** Arguments that are too large to parse stay text. */
  #input(): JsonObject {
    return this.#inputs.read(this.#text) ?? { _raw: this.#text };
  }

  block(): AnswerBlock {
    const opened = this.#opened;
    switch (opened.type) {
      case 'text':
        return { type: 'text', text: this.#text, citations: this.#citations };
      case 'image':
        return opened;
      case 'refusal':
        return { type: 'refusal', text: this.#text };
      case 'tool_call':
        return { type: 'tool_call', id: opened.id, name: opened.name, input: this.#input(), cache: null };
      case 'reasoning':
        return {
          ...opened,
          text: this.#text,
          signature: this.#signature?.signature ?? null,
          origin: this.#signature?.origin ?? opened.origin,
          ...(this.#signature?.id !== undefined && { id: this.#signature.id }),
        };
    }
  }
}
