/**
 * Reads a provider's Messages stream into the neutral form. Never throws: a stream that violates the format, or breaks off, ends with an
 * `error` event, and what follows is not read.
 *
 * https://docs.anthropic.com/en/docs/build-with-claude/streaming
 */

import type { ChatEvent } from '../../../chat/response.ts';
import { GatewayError } from '../../../core/errors.ts';
import { asObject, isObject, type JsonObject } from '../../../core/json-object.ts';
import { findLongNumbers, parseExactly } from '../../../wire/exact-numbers.ts';
import type { Frame } from '../../../wire/frames/frame.ts';
import { isShallow } from '../../../wire/json-depth.ts';
import type { StreamReader } from '../../interface/stream-reader.ts';
import { readAnswerError } from '../errors/read-answer-error.ts';
import { UsageReport } from '../meter/read-usage.ts';
import { BlockOrder } from './block-order.ts';
import { readFinish } from './finish-reason.ts';
import { lossesOfMessage, lossOfEvent } from './losses.ts';
import { isNoEvent } from './no-event.ts';

export function openReader(): StreamReader {
  return new AnthropicMessagesReader();
}

class AnthropicMessagesReader implements StreamReader {
  #blocks = new BlockOrder();
  #usage = new UsageReport();
  #started = false;
  /** Whether any event of the answer itself has been returned, other than `start` and warnings. */
  #hasContent = false;
  #calledTools = false;
  #over = false;
  #id: string | null = null;
  /** The object with the stop reason, once there is one. */
  #stop: JsonObject | null = null;

  frame(frame: Frame): readonly ChatEvent[] {
    if (this.#over || frame.data === null || isNoEvent(frame.event, frame.data)) return NOTHING;
    const payload = asObject(frame.json());
    // In a stream that lost its `event:` lines, each payload still has its type.
    const type = frame.event ?? payload?.['type'];
    if (type === 'error' || (type === undefined && isObject(payload?.['error']))) {
      return this.#fail(readAnswerError(frame.data));
    }
    if (type === 'content_block_start' && payload !== null) return this.#blockStart(payload, frame.data);
    if (payload !== null) return this.#read(type, payload);
    // Other formats end with this, and gateways in between add it here, too.
    if (type === 'ping' || frame.data.toString().trim() === '[DONE]') return NOTHING;
    return this.#break('The provider sent a stream event that cannot be read.');
  }

  /** Like Claude Code, accepts a stream as complete that had a stop reason and left no block open. */
  end(): readonly ChatEvent[] {
    if (this.#over) return NOTHING;
    if (this.#stop === null || !this.#blocks.isEmpty) return this.#break("The provider's answer ended unexpectedly.");
    return this.#finish();
  }

  #read(type: unknown, payload: JsonObject): readonly ChatEvent[] {
    switch (type) {
      case 'message_start':
        return this.#messageStart(payload['message']);
      case 'content_block_delta':
        return this.#blockDelta(payload);
      case 'content_block_stop':
        return this.#emit(this.#blocks.end(payload['index']));
      case 'message_delta':
        return this.#messageDelta(payload);
      case 'message_stop':
        return this.#finish();
      case 'ping':
      case undefined:
        return NOTHING;
      default:
        return this.#emit([{ type: 'warning', text: lossOfEvent(type) }]);
    }
  }

  /** A second start means that the provider retried internally, which is fine as long as nothing of the first try was sent. */
  #messageStart(message: unknown): readonly ChatEvent[] {
    if (this.#hasContent) return this.#break('The provider restarted its answer in the middle.');
    this.#blocks = new BlockOrder();
    this.#usage = new UsageReport();
    this.#stop = null;
    this.#calledTools = false;
    if (!isObject(message)) return this.#start();
    this.#usage.readStart(message['usage']);
    this.#id = typeof message['id'] === 'string' ? message['id'] : null;
    return [...this.#start(), ...warningsOf(message)];
  }

  /** Some servers send the whole input of a call here: its numbers keep their digits. */
  #blockStart(rounded: JsonObject, data: Buffer): readonly ChatEvent[] {
    if (!isShallow(rounded)) return this.#break('The provider sent a block that is nested too deeply.');
    const numbers = findLongNumbers(data) ?? [];
    const payload = numbers.length > 0 ? (parseExactly(data, numbers) as JsonObject) : rounded;
    const block = payload['content_block'];
    if (!isObject(block)) return this.#break('The provider started a block without a type.');
    if (block['type'] === 'tool_use') this.#calledTools = true;
    const events = this.#blocks.begin(payload['index'], block, this.#id ?? 'toolu');
    return events === null
      ? this.#break('The provider started a block twice, or too many blocks at once.')
      : this.#emit(events);
  }

  #blockDelta(payload: JsonObject): readonly ChatEvent[] {
    const delta = payload['delta'];
    if (!isObject(delta)) return NOTHING;
    const events = this.#blocks.delta(payload['index'], delta);
    if (events === null) return this.#break('The provider sent part of a block that is not open.');
    return this.#emit(events);
  }

  /** Its totals replace earlier ones; the end waits for `message_stop`, since another `message_delta` may follow. */
  #messageDelta(payload: JsonObject): readonly ChatEvent[] {
    this.#usage.readFinal(payload['usage']);
    const delta = payload['delta'];
    if (isObject(delta) && typeof delta['stop_reason'] === 'string') this.#stop = delta;
    return this.#emit([...warningsOf(payload), ...(isObject(delta) ? warningsOf(delta) : NOTHING)]);
  }

  #finish(): readonly ChatEvent[] {
    const finish = readFinish(this.#stop ?? {}, this.#calledTools);
    const events = this.#emit([
      ...this.#blocks.endAll(),
      { type: 'finish', finish },
      { type: 'end', usage: this.#usage.usage() },
    ]);
    this.#over = true;
    return events;
  }

  /** Events of the answer itself, after its start. */
  #emit(events: readonly ChatEvent[]): readonly ChatEvent[] {
    if (events.length === 0) return events;
    if (!this.#hasContent) this.#hasContent = events.some(({ type }) => type !== 'warning');
    return this.#started ? events : [...this.#start(), ...events];
  }

  #start(): readonly ChatEvent[] {
    if (this.#started) return NOTHING;
    this.#started = true;
    return [{ type: 'start', id: this.#id, usage: this.#usage.usage() }];
  }

  #break(message: string): readonly ChatEvent[] {
    return this.#fail(new GatewayError('bad_gateway', { message }));
  }

  #fail(error: GatewayError): readonly ChatEvent[] {
    this.#over = true;
    return [{ type: 'error', error }];
  }
}

const NOTHING: readonly ChatEvent[] = [];

function warningsOf(holder: JsonObject): readonly ChatEvent[] {
  return lossesOfMessage(holder).map((text) => ({ type: 'warning', text }));
}
