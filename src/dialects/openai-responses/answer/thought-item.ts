/**
 * A thought of an answer. Its text is shown as summaries, if the caller asked for them; what its vendor expects back is in
 * `encrypted_content`, since nothing is stored here.
 *
 * https://platform.openai.com/docs/guides/reasoning#reasoning-summaries
 */
import { OPENAI_REASONING } from '../../../chat/request.ts';
import type { OpenedBlock } from '../../../chat/response.ts';
import { type Opaque, sealThought } from './thought-seal.ts';
import {
  type Allocate,
  type ItemPlace,
  type ItemStatus,
  itemAdded,
  itemDone,
  type OpenItem,
  type WireEvent,
} from './wire-event.ts';

export type OpenedThought = Extract<OpenedBlock, { readonly type: 'reasoning' }>;

export class ThoughtItem implements OpenItem {
  readonly #allocate: Allocate;
  readonly #shows: boolean;
  #opaque: Opaque;
  #place: ItemPlace | null = null;
  readonly #summary: object[] = [];
  /** The open summary. */
  #text: string | null = null;

  /** `shows`: whether the caller sees what the model thinks. */
  constructor(block: OpenedThought, shows: boolean, allocate: Allocate) {
    this.#allocate = allocate;
    this.#shows = shows;
    this.#opaque = { ...block, signature: null };
  }

  /** Whether the next block is part of the same thought: an opaque value ends one. */
  continuesWith(block: OpenedThought): boolean {
    const { signature, encrypted, origin, id } = this.#opaque;
    return signature === null && encrypted === null && origin === block.origin && id === block.id;
  }

  /** The next block of the same thought. */
  add({ encrypted }: OpenedThought): void {
    this.#opaque = { ...this.#opaque, encrypted };
  }

  text(text: string): readonly WireEvent[] {
    if (text === '' || !this.#shows) return [];
    const place = this.#place ?? this.#newPlace();
    const events: WireEvent[] = this.#place === null ? [itemAdded(place, this.#item(place, 'in_progress'))] : [];
    this.#place = place;
    const at = this.#at(place);
    if (this.#text === null)
      events.push({ type: 'response.reasoning_summary_part.added', ...at, part: { type: 'summary_text', text: '' } });
    this.#text = (this.#text ?? '') + text;
    events.push({ type: 'response.reasoning_summary_text.delta', ...at, delta: text });
    return events;
  }

  sign(signed: { readonly signature: string; readonly origin: string; readonly id?: string }): void {
    this.#opaque = { ...this.#opaque, ...signed };
  }

  endText(): readonly WireEvent[] {
    if (this.#text === null || this.#place === null) return [];
    const at = this.#at(this.#place);
    const part = { type: 'summary_text', text: this.#text };
    const { text } = part;
    this.#text = null;
    this.#summary.push(part);
    return [
      { type: 'response.reasoning_summary_text.done', ...at, text },
      { type: 'response.reasoning_summary_part.done', ...at, part },
    ];
  }

  close(status: ItemStatus) {
    const events = [...this.endText()];
    const sealed = sealThought(this.#opaque);
    if (this.#place === null) {
      // Without a text or an opaque value there is no thought.
      if (this.#opaque.signature === null && this.#opaque.encrypted === null) return null;
      this.#place = this.#newPlace();
      events.push(itemAdded(this.#place, this.#item(this.#place, 'in_progress')));
    }
    const item = { ...this.#item(this.#place, status), encrypted_content: sealed };
    return { events: [...events, itemDone(this.#place, item)], item };
  }

  /** Another vendor's id may be that of something else, as Gemini's is that of a call: it is inside the opaque value. */
  #newPlace(): ItemPlace {
    const { origin, id } = this.#opaque;
    return this.#allocate('rs', origin === OPENAI_REASONING ? id : undefined);
  }

  #at({ id, index }: ItemPlace) {
    return { item_id: id, output_index: index, summary_index: this.#summary.length };
  }

  #item({ id }: ItemPlace, status: ItemStatus | 'in_progress') {
    return { id, type: 'reasoning', status, summary: [...this.#summary] };
  }
}
