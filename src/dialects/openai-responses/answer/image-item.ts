/** An image that the model made, as the format has the result of its tool: https://platform.openai.com/docs/guides/image-generation */
import type { AnswerImage } from '../../../chat/response.ts';
import { type Allocate, type ItemPlace, itemAdded, itemDone, type OpenItem, type WireEvent } from './wire-event.ts';

export class ImageItem implements OpenItem {
  readonly #place: ItemPlace;
  readonly #item: Readonly<Record<string, unknown>>;

  constructor({ mediaType, data }: AnswerImage, allocate: Allocate) {
    this.#place = allocate('ig');
    const output_format = mediaType.replace(/^image\//, '');
    this.#item = {
      id: this.#place.id,
      type: 'image_generation_call',
      status: 'completed',
      output_format,
      result: data,
    };
  }

  added(): readonly WireEvent[] {
    const { id, index } = this.#place;
    return [
      itemAdded(this.#place, { ...this.#item, status: 'in_progress', result: null }),
      { type: 'response.image_generation_call.in_progress', output_index: index, item_id: id },
      { type: 'response.image_generation_call.completed', output_index: index, item_id: id },
    ];
  }

  close() {
    return { events: [itemDone(this.#place, this.#item)], item: this.#item };
  }
}
