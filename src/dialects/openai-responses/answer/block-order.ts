/**
 * Puts the items of an answer one after the other: while one has not ended, the events of later ones wait. Items are recognised by their id
 * and by their index, since some servers change the one and leave out the other.
 */
import { BLOCKS_WAITING_MAX, holdEvent } from '../../../chat/hold-event.ts';
import type { ReasoningOrigin } from '../../../chat/request.ts';
import type { ChatEvent } from '../../../chat/response.ts';
import { GatewayError } from '../../../core/errors.ts';
import { asText, type JsonObject } from '../../../core/json-object.ts';
import { makeCallId } from '../../kit/answer/answer-call.ts';
import { StreamItem } from './stream-item.ts';

/** Where an event belongs; null for what it does not say. */
export interface ItemPlace {
  readonly index: unknown;
  readonly id: string | null;
}

export class BlockOrder {
  readonly thoughtOrigin: ReasoningOrigin;
  sawCall = false;
  sawRefusal = false;
  #events: ChatEvent[] = [];
  /** In the order they began; the one at `#first` is being sent. */
  readonly #slots: Slot[] = [];
  #first = 0;
  readonly #byId = new Map<string, Slot>();
  readonly #byIndex = new Map<unknown, Slot>();
  readonly #callIds = new Set<string>();

  /** `thoughtOrigin`: whose thoughts they are. */
  constructor(thoughtOrigin: ReasoningOrigin) {
    this.thoughtOrigin = thoughtOrigin;
  }

  get count(): number {
    return this.#slots.length;
  }

  /** Throws `bad_gateway` if too many items wait for one to end. */
  begin(place: ItemPlace, item: JsonObject): void {
    const known = this.#find(place);
    // Repeated, or a server without ids that gives every item the same index.
    if (known !== null && !known.isEnded) {
      if (known.item.type === asText(item['type']) && place.id === known.item.id) return;
      if (place.id === null) this.#end(known, known.item.end());
    }
    this.#begin(place, item);
  }

  /** Applies `change` to the item of the event; `type` is that of an item which the server has not announced. */
  change(place: ItemPlace, type: string, change: (item: StreamItem) => ChatEvent[]): void {
    const slot = this.#find(place) ?? this.#begin(place, { type, id: place.id });
    this.#pass(slot, change(slot.item));
  }

  done(place: ItemPlace, item: JsonObject): void {
    const known = this.#find(place);
    // Said twice: as two calls a tool would run twice.
    if (known?.isEnded === true && place.id !== null && place.id === known.item.id) return;
    const slot = known === null || known.isEnded ? this.#begin(place, item) : known;
    this.#end(slot, slot.item.done(item));
  }

  /** The item that began as number `order`, finished; one that has ended stays as it is. */
  doneInOrder(order: number, item: JsonObject): void {
    const slot = this.#slots[order];
    if (slot === undefined) this.done({ index: `final ${order}`, id: null }, item);
    else if (!slot.isEnded) this.#end(slot, slot.item.done(item));
  }

  endAll(): void {
    for (const slot of this.#slots.slice(this.#first)) if (!slot.isEnded) this.#end(slot, slot.item.end());
  }

  warn(text: string): void {
    this.#events.push({ type: 'warning', text });
  }

  /** Whether the event belongs to an item that is left out. */
  isLeftOut(place: ItemPlace): boolean {
    const isPlaced = place.index !== undefined || place.id !== null;
    return isPlaced && this.#find(place)?.item.isLeftOut === true;
  }

  /** The events that have become due since the last call. */
  take(): ChatEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  callId(wanted: string | null): string {
    const id = wanted !== null && !this.#callIds.has(wanted) ? wanted : makeCallId();
    this.#callIds.add(id);
    return id;
  }

  #find({ index, id }: ItemPlace): Slot | null {
    const named = id === null ? undefined : this.#byId.get(id);
    if (named !== undefined) return named;
    const placed = index === undefined ? undefined : this.#byIndex.get(index);
    return placed ?? (index === undefined && id === null ? (this.#slots.at(-1) ?? null) : null);
  }

  #begin({ index, id }: ItemPlace, item: JsonObject): Slot {
    const slot: Slot = { item: new StreamItem(item, this), held: [], isEnded: false };
    this.#slots.push(slot);
    if (this.#slots.length - this.#first > BLOCKS_WAITING_MAX) {
      throw new GatewayError('bad_gateway', { message: 'The provider sent too many items before one ended.' });
    }
    const name = id ?? slot.item.id;
    if (name !== null) this.#byId.set(name, slot);
    if (index !== undefined) this.#byIndex.set(index, slot);
    this.#pass(slot, slot.item.begin());
    return slot;
  }

  #end(slot: Slot, events: readonly ChatEvent[]): void {
    this.#pass(slot, events);
    slot.isEnded = true;
    while (this.#slots[this.#first]?.isEnded === true) {
      this.#first += 1;
      const next = this.#slots[this.#first];
      if (next === undefined) continue;
      for (const event of next.held) this.#events.push(event);
      next.held.length = 0;
    }
  }

  #pass(slot: Slot, events: readonly ChatEvent[]): void {
    const isFirst = slot === this.#slots[this.#first];
    for (const event of events) {
      // Not part of a block, so it need not wait.
      if (isFirst || event.type === 'warning') this.#events.push(event);
      else holdEvent(slot.held, event);
    }
  }
}

interface Slot {
  readonly item: StreamItem;
  readonly held: ChatEvent[];
  isEnded: boolean;
}
