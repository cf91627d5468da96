/** An event of a stream, without its sequence number: https://platform.openai.com/docs/api-reference/responses-streaming */
export interface WireEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Whether an item of an answer is all that the model would have written. */
export type ItemStatus = 'completed' | 'incomplete';

/** Where an item is in the answer. */
export interface ItemPlace {
  readonly id: string;
  readonly index: number;
}

/** The next place, for an item whose id begins with this. */
export type Allocate = (prefix: string, id?: string) => ItemPlace;

/** An item of an answer as it grows. */
export interface OpenItem {
  /** The events that end it, and the whole item; null if it never began. */
  close(
    status: ItemStatus,
  ): { readonly events: readonly WireEvent[]; readonly item: Readonly<Record<string, unknown>> } | null;
}

/** The events around an item. */
export function itemAdded({ index }: ItemPlace, item: object): WireEvent {
  return { type: 'response.output_item.added', output_index: index, item };
}

export function itemDone({ index }: ItemPlace, item: object): WireEvent {
  return { type: 'response.output_item.done', output_index: index, item };
}
