/**
 * An earlier turn of the model's as parts, with the thought signatures where they were: a signature is valid only on the part that it came
 * with. In the neutral form it is a thought before that part's block; with the id of a call, it is that call's.
 *
 * https://ai.google.dev/gemini-api/docs/thought-signatures
 */
import {
  type AssistantBlock,
  GOOGLE_REASONING,
  type ReasoningBlock,
  type ToolCallBlock,
} from '../../../chat/request.ts';
import { FOREIGN_THOUGHTS } from '../../kit/answer/left-out-thoughts.ts';
import { wireToolName } from './tool-names.ts';
import type { Written } from './written.ts';

/** The documented value for a call whose signature is lost: with any other, or none, the request is refused. */
export const NO_SIGNATURE = 'skip_thought_signature_validator';

export class AssistantParts {
  readonly parts: Written[] = [];
  readonly #warnings: Set<string>;
  /** Call id → its signature. */
  readonly #ofCalls = new Map<string, string>();
  /** The signature of the part that comes next. */
  #next: string | null = null;

  /** `isChecked`: whether the API refuses a first call without a signature. */
  constructor(blocks: readonly AssistantBlock[], isChecked: boolean, warnings: Set<string>) {
    this.#warnings = warnings;
    const ids = new Set(blocks.flatMap((block) => (block.type === 'tool_call' ? [block.id] : [])));
    for (const block of blocks) {
      if (block.type !== 'reasoning' || !isOwn(block) || block.id === undefined || !ids.has(block.id)) continue;
      if (isSet(block.encrypted)) this.#ofCalls.set(block.id, block.encrypted);
    }
    let isFirstCall = true;
    for (const block of blocks) {
      if (block.type === 'reasoning') this.#addThought(block);
      else if (block.type === 'tool_call') {
        this.#addCall(block, isChecked && isFirstCall);
        isFirstCall = false;
      } else if (block.text !== '') this.#add({ text: block.text });
    }
    if (this.#next !== null) this.#add({ text: '' });
  }

  #addThought(block: ReasoningBlock): void {
    if (!isOwn(block)) {
      this.#warnings.add(FOREIGN_THOUGHTS);
      return;
    }
    if (isSet(block.encrypted)) {
      if (block.id !== undefined && this.#ofCalls.has(block.id)) return;
      // Two in a row: the first one's part was empty.
      if (this.#next !== null) this.#add({ text: '' });
      this.#next = block.encrypted;
      return;
    }
    if (block.text === '' && !isSet(block.signature)) return;
    const signature = isSet(block.signature) ? { thoughtSignature: block.signature } : {};
    this.parts.push({ text: block.text, thought: true, ...signature });
  }

  #addCall({ id, name, input }: ToolCallBlock, mustBeSigned: boolean): void {
    const own = this.#ofCalls.get(id);
    // The next signature is this call's, unless its own has said so.
    if (own !== undefined && this.#next !== null) this.#add({ text: '' });
    const signature = own ?? this.#next;
    this.#next = null;
    if (signature === null && mustBeSigned)
      this.#warnings.add('a function call without its thought signature was sent with the value that skips its check');
    const thoughtSignature = signature ?? (mustBeSigned ? NO_SIGNATURE : null);
    this.parts.push({
      functionCall: { id, name: wireToolName(name), args: input },
      ...(thoughtSignature !== null && { thoughtSignature }),
    });
  }

  #add(part: Written): void {
    this.parts.push(this.#next === null ? part : { ...part, thoughtSignature: this.#next });
    this.#next = null;
  }
}

function isOwn({ origin }: ReasoningBlock): boolean {
  return origin === GOOGLE_REASONING;
}

function isSet(value: string | null): value is string {
  return value !== null && value !== '';
}
