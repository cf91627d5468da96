/** A call of a function or of a custom tool as it grows. */
import type { ChatEvent } from '../../../chat/response.ts';
import { asText, isObject, type JsonObject } from '../../../core/json-object.ts';
import { isShallow } from '../../../wire/json-depth.ts';
import { AnswerCall } from '../../kit/answer/answer-call.ts';
import { isWrapper, unwrapCalls, type WrappedCall } from './parallel-wrapper.ts';
import type { SeenItems } from './seen-items.ts';

export class StreamCall {
  readonly #isCustom: boolean;
  readonly #seen: SeenItems;
  readonly #call: AnswerCall;
  #hasText = false;
  /** The arguments as far as they have arrived, while they cannot be sent. */
  #kept = '';
  #isOpen = false;

  constructor(item: JsonObject, isCustom: boolean, seen: SeenItems) {
    const wireId = asText(item['call_id']);
    this.#isCustom = isCustom;
    this.#seen = seen;
    this.#call = new AnswerCall(null, wireId, seen.callId(wireId ?? asText(item['id'])), isCustom);
    this.#call.name = asText(item['name']);
    seen.sawCall = true;
  }

  begin(): ChatEvent[] {
    return this.#open();
  }

  add(text: string): ChatEvent[] {
    this.#hasText ||= text !== '';
    if (!this.#isOpen) {
      this.#kept += text;
      return [];
    }
    return this.#send(text);
  }

  /** `whole`: all of them, a text, or an object from servers that do not write them as one; nothing is added if pieces have arrived. */
  addRest(whole: unknown): ChatEvent[] {
    if (this.#hasText) return [];
    const text = isObject(whole) && isShallow(whole) ? JSON.stringify(whole) : (asText(whole) ?? '');
    return text === '' ? [] : this.add(text);
  }

  done(item: JsonObject): ChatEvent[] {
    const events = this.addRest(item[this.#isCustom ? 'input' : 'arguments']);
    this.#call.name ??= asText(item['name']);
    return events;
  }

  end(): ChatEvent[] {
    const { name } = this.#call;
    const calls = name !== null && isWrapper(name) ? unwrapCalls(this.#kept) : null;
    if (calls !== null) return calls.flatMap((call, index) => this.#unwrapped(call, index));
    const events = this.#open(true);
    const rest = this.#call.rest();
    if (rest !== '') events.push({ type: 'arguments', json: rest });
    return [...events, { type: 'block_end' }];
  }

  /** Waits for the name; a wrapper waits for its end. */
  #open(isEnd = false): ChatEvent[] {
    const { name, id } = this.#call;
    if (this.#isOpen || (!isEnd && (name === null || isWrapper(name)))) return [];
    this.#isOpen = true;
    const opened: ChatEvent = { type: 'block_start', block: { type: 'tool_call', id, name: name ?? '' } };
    const kept = this.#kept;
    this.#kept = '';
    return [opened, ...this.#send(kept)];
  }

  #send(text: string): ChatEvent[] {
    const json = text === '' ? '' : this.#call.add(text);
    return json === '' ? [] : [{ type: 'arguments', json }];
  }

  /** The first has the id of the wrapper. */
  #unwrapped({ name, json }: WrappedCall, index: number): ChatEvent[] {
    const id = index === 0 ? this.#call.id : this.#seen.callId(`${this.#call.id}_${index}`);
    return [
      { type: 'block_start', block: { type: 'tool_call', id, name } },
      { type: 'arguments', json },
      { type: 'block_end' },
    ];
  }
}
