/** A message of an answer: each text, and each refusal, is a part. What is empty does not begin, since clients would send it back. */
import type { Citation } from '../../../chat/response.ts';
import { writeCitation } from './citation.ts';
import {
  type Allocate,
  type ItemPlace,
  type ItemStatus,
  itemAdded,
  itemDone,
  type OpenItem,
  type WireEvent,
} from './wire-event.ts';

export class MessageItem implements OpenItem {
  readonly #allocate: Allocate;
  #place: ItemPlace | null = null;
  readonly #parts: object[] = [];
  #kind: 'text' | 'refusal' = 'text';
  /** Set once the open part has begun. */
  #part: { readonly annotations: object[]; text: string } | null = null;

  constructor(allocate: Allocate) {
    this.#allocate = allocate;
  }

  /** The next part; it begins with its first text. */
  openPart(kind: 'text' | 'refusal'): void {
    this.#kind = kind;
  }

  text(text: string): readonly WireEvent[] {
    if (text === '') return [];
    const { events, place, part } = this.#begun();
    part.text += text;
    const at = this.#at(place);
    return [
      ...events,
      this.#kind === 'refusal'
        ? { type: 'response.refusal.delta', ...at, delta: text }
        : { type: 'response.output_text.delta', ...at, delta: text, logprobs: [] },
    ];
  }

  citation(citation: Citation): readonly WireEvent[] {
    const { events, place, part } = this.#begun();
    const annotation = writeCitation(citation);
    const annotation_index = part.annotations.length;
    part.annotations.push(annotation);
    const added = { type: 'response.output_text.annotation.added', ...this.#at(place), annotation_index, annotation };
    return [...events, added];
  }

  closePart(): readonly WireEvent[] {
    if (this.#part === null || this.#place === null) return [];
    const at = this.#at(this.#place);
    const { text, annotations } = this.#part;
    const part = this.#partOf(text, annotations);
    this.#part = null;
    this.#parts.push(part);
    const done =
      this.#kind === 'refusal'
        ? { type: 'response.refusal.done', ...at, refusal: text }
        : { type: 'response.output_text.done', ...at, text, logprobs: [] };
    return [done, { type: 'response.content_part.done', ...at, part }];
  }

  close(status: ItemStatus) {
    const events = this.closePart();
    if (this.#place === null) return null;
    const item = this.#item(this.#place, status, this.#parts);
    return { events: [...events, itemDone(this.#place, item)], item };
  }

  #begun() {
    const events: WireEvent[] = [];
    let place = this.#place;
    if (place === null) {
      place = this.#allocate('msg');
      this.#place = place;
      events.push(itemAdded(place, this.#item(place, 'in_progress', [])));
    }
    let part = this.#part;
    if (part === null) {
      part = { annotations: [], text: '' };
      this.#part = part;
      events.push({ type: 'response.content_part.added', ...this.#at(place), part: this.#partOf('', []) });
    }
    return { events, place, part };
  }

  #at({ id, index }: ItemPlace) {
    return { item_id: id, output_index: index, content_index: this.#parts.length };
  }

  #partOf(text: string, annotations: readonly object[]): object {
    return this.#kind === 'refusal'
      ? { type: 'refusal', refusal: text }
      : { type: 'output_text', text, annotations, logprobs: [] };
  }

  #item({ id }: ItemPlace, status: ItemStatus | 'in_progress', content: readonly object[]) {
    return { id, type: 'message', status, role: 'assistant', content };
  }
}
