/** A call of a function, or of a custom tool, whose input is a text. */
import type { ToolCallBlock } from '../../../chat/request.ts';
import { CustomInputText } from '../../kit/answer/custom-input.ts';
import type { ToolOrigin } from '../request/read-tools.ts';
import {
  type Allocate,
  type ItemPlace,
  type ItemStatus,
  itemAdded,
  itemDone,
  type OpenItem,
  type WireEvent,
} from './wire-event.ts';

export class CallItem implements OpenItem {
  readonly #place: ItemPlace;
  readonly #head: Readonly<Record<string, unknown>>;
  /** Null for a function. */
  readonly #custom: CustomInputText | null;
  /** The arguments, or the input. */
  #text = '';

  constructor({ id, name }: Pick<ToolCallBlock, 'id' | 'name'>, origin: ToolOrigin | undefined, allocate: Allocate) {
    const { namespace = null, custom = false } = origin ?? {};
    this.#place = allocate(custom ? 'ctc' : 'fc');
    this.#custom = custom ? new CustomInputText() : null;
    this.#head = {
      id: this.#place.id,
      type: custom ? 'custom_tool_call' : 'function_call',
      call_id: id,
      name: origin?.name ?? name,
      ...(namespace !== null && { namespace }),
    };
  }

  added(): WireEvent {
    return itemAdded(this.#place, this.#item('in_progress', ''));
  }

  /** More of the arguments, as JSON text. */
  more(json: string): readonly WireEvent[] {
    return this.#delta(this.#custom === null ? json : this.#custom.add(json));
  }

  /** After the last of the arguments. A caller parses them, so a call without any still has an object. */
  end(): readonly WireEvent[] {
    const isFunction = this.#custom === null;
    const last = this.#delta(this.#custom === null ? (this.#text === '' ? '{}' : '') : this.#custom.rest());
    const at = { item_id: this.#place.id, output_index: this.#place.index };
    const done = isFunction
      ? { type: 'response.function_call_arguments.done', ...at, name: this.#head['name'], arguments: this.#text }
      : { type: 'response.custom_tool_call_input.done', ...at, input: this.#text };
    return [...last, done];
  }

  close(status: ItemStatus) {
    const item = this.#item(status, this.#text);
    return { events: [itemDone(this.#place, item)], item };
  }

  #delta(delta: string): readonly WireEvent[] {
    if (delta === '') return [];
    this.#text += delta;
    const type =
      this.#custom === null ? 'response.function_call_arguments.delta' : 'response.custom_tool_call_input.delta';
    return [{ type, item_id: this.#place.id, output_index: this.#place.index, delta }];
  }

  #item(status: ItemStatus | 'in_progress', text: string) {
    return { ...this.#head, ...(this.#custom === null ? { arguments: text } : { input: text }), status };
  }
}
