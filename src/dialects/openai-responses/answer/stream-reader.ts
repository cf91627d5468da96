/**
 * Reads a stream of this format into the neutral form. Fails closed: what is not JSON, an error inside the stream, and a stream that ends
 * without its last event all become an `error`, never an end.
 *
 * https://platform.openai.com/docs/api-reference/responses-streaming
 */
import type { ReasoningOrigin } from '../../../chat/request.ts';
import type { ChatEvent } from '../../../chat/response.ts';
import { GatewayError } from '../../../core/errors.ts';
import { asObject, asText, type JsonObject, objectsOf, stringOf } from '../../../core/json-object.ts';
import type { Frame } from '../../../wire/frames/frame.ts';
import type { StreamReader } from '../../interface/stream-reader.ts';
import { isBlankData } from '../../kit/answer/blank-data.ts';
import { readAnswerError } from '../errors/read-answer-error.ts';
import { readUsage } from '../meter/read-usage.ts';
import { type Quirks, usualQuirks } from '../quirks.ts';
import { BlockOrder, type ItemPlace } from './block-order.ts';
import { isDone } from './done-event.ts';
import { readFinish } from './finish-reason.ts';
import { lossOfEvent } from './losses.ts';
import type { PartKind } from './stream-item.ts';

export function openReader(_upstreamModel?: string, { thoughtOrigin }: Quirks = usualQuirks): StreamReader {
  return new OpenaiResponsesReader(thoughtOrigin);
}

class OpenaiResponsesReader implements StreamReader {
  readonly #blocks: BlockOrder;
  #started = false;
  #ended = false;

  constructor(thoughtOrigin: ReasoningOrigin) {
    this.#blocks = new BlockOrder(thoughtOrigin);
  }

  frame(frame: Frame): readonly ChatEvent[] {
    const { data } = frame;
    if (this.#ended || data === null || isBlankData(data) || isDone(data)) return NOTHING;
    const event = asObject(frame.json());
    if (event === null) return this.#fail(broken('The provider sent a stream event that is not JSON.'));
    const events: ChatEvent[] = [];
    try {
      this.#read(asText(event['type']) ?? frame.event ?? '', event, events);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      // What arrived before the failure is still sent: the caller has been waiting for it.
      return [...events, ...this.#blocks.take(), ...this.#fail(error)];
    }
    return events;
  }

  end(): readonly ChatEvent[] {
    if (this.#ended) return NOTHING;
    return this.#fail(broken('The provider ended its answer before it was complete.'));
  }

  #read(type: string, event: JsonObject, events: ChatEvent[]): void {
    const response = asObject(event['response']);
    if (FAILURES.has(type) || (type === '' && event['error'])) throw readAnswerError(event);
    if (!this.#started) this.#start(response, events);
    if (LAST.has(type)) return this.#end(response ?? {}, events);
    this.#change(type, event);
    for (const due of this.#blocks.take()) events.push(due);
  }

  #start(response: JsonObject | null, events: ChatEvent[]): void {
    this.#started = true;
    events.push({ type: 'start', id: asText(response?.['id'])?.slice(0, ID_LENGTH_MAX) ?? null, usage: null });
  }

  #change(type: string, event: JsonObject): void {
    const blocks = this.#blocks;
    const place = placeOf(event);
    const text = TEXTS.get(type);
    if (text !== undefined) {
      const { kind, of, index, whole } = text;
      const value = stringOf(event[whole ?? 'delta']);
      return blocks.change(place, of, (item) =>
        whole === null ? item.text(kind, event[index], value) : item.wholeText(kind, event[index], value),
      );
    }
    const call = CALLS.get(type);
    if (call !== undefined) {
      const { of, whole } = call;
      return blocks.change(place, of, (item) =>
        whole === null ? item.arguments(stringOf(event['delta'])) : item.wholeArguments(event[whole]),
      );
    }
    switch (type) {
      case 'response.output_item.added':
        return blocks.begin(place, asObject(event['item']) ?? {});
      case 'response.output_item.done':
        return blocks.done(place, asObject(event['item']) ?? {});
      case 'response.output_text.annotation.added':
        return blocks.change(place, 'message', (item) =>
          item.annotation(event['content_index'], asObject(event['annotation']) ?? {}),
        );
      default:
        if (!isKnown(type) && !blocks.isLeftOut(place)) blocks.warn(lossOfEvent(type));
    }
  }

  /** Some servers stream nothing of an item, and have it only in the whole answer. */
  #end(response: JsonObject, events: ChatEvent[]): void {
    for (const [order, item] of objectsOf(response['output']).entries()) this.#blocks.doneInOrder(order, item);
    this.#blocks.endAll();
    for (const due of this.#blocks.take()) events.push(due);
    const reading = readUsage(response);
    events.push({ type: 'finish', finish: readFinish(response, this.#blocks) });
    events.push({ type: 'end', usage: reading === null || reading.reported === 'none' ? null : reading.usage });
    this.#ended = true;
  }

  #fail(error: GatewayError): readonly ChatEvent[] {
    this.#ended = true;
    return [{ type: 'error', error }];
  }
}

const NOTHING: readonly ChatEvent[] = [];
const ID_LENGTH_MAX = 256;

const LAST: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete']);
const FAILURES: ReadonlySet<string> = new Set(['response.failed', 'response.cancelled', 'error']);

interface TextEvent {
  readonly kind: PartKind;
  /** The type of the item that it belongs to. */
  readonly of: 'message' | 'reasoning';
  /** The field with the index of the part. */
  readonly index: 'content_index' | 'summary_index';
  /** The field with the whole text; null if the event has a piece of it. */
  readonly whole: string | null;
}

const TEXTS: ReadonlyMap<string, TextEvent> = new Map(
  (
    [
      ['response.output_text', { kind: 'text', of: 'message', index: 'content_index', whole: 'text' }],
      ['response.refusal', { kind: 'refusal', of: 'message', index: 'content_index', whole: 'refusal' }],
      ['response.reasoning_summary_text', { kind: 'summary', of: 'reasoning', index: 'summary_index', whole: 'text' }],
      ['response.reasoning_text', { kind: 'thought', of: 'reasoning', index: 'content_index', whole: 'text' }],
    ] as const
  ).flatMap(([name, event]): [string, TextEvent][] => [
    [`${name}.delta`, { ...event, whole: null }],
    [`${name}.done`, event],
  ]),
);

interface CallEvent {
  readonly of: 'function_call' | 'custom_tool_call';
  readonly whole: string | null;
}

const CALLS: ReadonlyMap<string, CallEvent> = new Map<string, CallEvent>([
  ['response.function_call_arguments.delta', { of: 'function_call', whole: null }],
  ['response.function_call_arguments.done', { of: 'function_call', whole: 'arguments' }],
  ['response.custom_tool_call_input.delta', { of: 'custom_tool_call', whole: null }],
  ['response.custom_tool_call_input.done', { of: 'custom_tool_call', whole: 'input' }],
]);

/** Events that say nothing which another does not say, and those about the provider's own tools, whose items are reported. */
function isKnown(type: string): boolean {
  return QUIET.has(type) || OWN_TOOLS.test(type);
}

const QUIET: ReadonlySet<string> = new Set([
  ...['response.created', 'response.queued', 'response.in_progress', 'keepalive', 'ping'],
  ...['response.content_part.added', 'response.content_part.done'],
  ...['response.reasoning_summary_part.added', 'response.reasoning_summary_part.done'],
]);
const OWN_TOOLS = /^response\.\w{1,64}_(?:call|tools)(?:_\w{1,64})?\.\w{1,64}$/;

function placeOf(event: JsonObject): ItemPlace {
  const id = asText(event['item_id']) ?? asText(asObject(event['item'])?.['id']);
  return { index: event['output_index'], id };
}

function broken(message: string): GatewayError {
  return new GatewayError('bad_gateway', { message });
}
