/**
 * Reads a ConverseStream answer into the neutral form. Never throws: a stream that violates the format, or breaks off, ends with an
 * `error` event, and what follows is not read.
 *
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
 */
import { ANTHROPIC_REASONING, UNKNOWN_REASONING } from '../../../chat/request.ts';
import type { ChatEvent } from '../../../chat/response.ts';
import { GatewayError } from '../../../core/errors.ts';
import { asObject, asText, isObject, type JsonObject, stringOf } from '../../../core/json-object.ts';
import type { Usage } from '../../../core/usage.ts';
import { EXCEPTION } from '../../../wire/frames/event-stream-message.ts';
import type { Frame } from '../../../wire/frames/frame.ts';
import type { StreamReader } from '../../interface/stream-reader.ts';
import { readAnswerError } from '../errors/read-answer-error.ts';
import { readUsage } from '../meter/read-usage.ts';
import { familyOf } from '../model-family.ts';
import { isServerTool } from './answer-block.ts';
import { isFailure, readFinish } from './finish-reason.ts';
import { lossOfBlock, lossOfEvent, SERVER_TOOL } from './losses.ts';
import { StreamBlock } from './stream-block.ts';

/** Without the model's name, unsigned thoughts are taken for Claude's. */
export function openReader(upstreamModel = ''): StreamReader {
  const family = familyOf(upstreamModel);
  const isOther = family !== 'claude' && family !== 'unknown';
  return new BedrockConverseReader(isOther ? UNKNOWN_REASONING : ANTHROPIC_REASONING);
}

class BedrockConverseReader implements StreamReader {
  readonly #origin: string;
  #block: StreamBlock | null = null;
  /** The index of the last block that ended: what comes for it, or for an earlier one, cannot be put in its place. */
  #ended = -1;
  #started = false;
  #calls = 0;
  /** `messageStop`, once it has come. */
  #stop: JsonObject | null = null;
  #usage: Usage | null = null;
  #over = false;

  constructor(origin: string) {
    this.#origin = origin;
  }

  frame(frame: Frame): readonly ChatEvent[] {
    if (this.#over) return NOTHING;
    if (frame.event?.startsWith(EXCEPTION) === true) return this.#fail(readAnswerError(frame));
    const payload = asObject(frame.json());
    if (payload === null) return this.#break('The provider sent a stream event that cannot be read.');
    switch (frame.event) {
      case 'messageStart':
        return this.#start();
      case 'contentBlockStart':
        return this.#blockStart(payload);
      case 'contentBlockDelta':
        return this.#blockDelta(payload);
      case 'contentBlockStop':
        return this.#block?.index === indexOf(payload) ? this.#emit(this.#endBlock()) : NOTHING;
      case 'messageStop':
        this.#stop = payload;
        return this.#usage === null ? NOTHING : this.#finish();
      case 'metadata':
        this.#usage = readUsage(payload['usage'])?.usage ?? this.#usage;
        return this.#stop === null ? NOTHING : this.#finish();
      default:
        return this.#emit([{ type: 'warning', text: lossOfEvent(frame.event) }]);
    }
  }

  /** Without `metadata` the answer is whole, but its usage is not known. */
  end(): readonly ChatEvent[] {
    if (this.#over) return NOTHING;
    return this.#stop === null ? this.#break("The provider's answer ended unexpectedly.") : this.#finish();
  }

  #blockStart(payload: JsonObject): readonly ChatEvent[] {
    const { start } = payload;
    const index = indexOf(payload);
    if (this.#block?.index === index || index <= this.#ended) return this.#break('The provider started a block twice.');
    const events = this.#endBlock();
    const call = isObject(start) ? start['toolUse'] : null;
    if (isObject(call) && !isServerTool(call)) {
      this.#block = new StreamBlock(index, 'tool_use', this.#origin);
      const id = asText(call['toolUseId']) ?? `tooluse_${this.#calls}`;
      this.#calls += 1;
      events.push({ type: 'block_start', block: { type: 'tool_call', id, name: stringOf(call['name']) } });
    } else {
      this.#block = new StreamBlock(index, isObject(start) && hasFields(start) ? 'left_out' : 'waiting', this.#origin);
      if (isObject(call)) events.push({ type: 'warning', text: SERVER_TOOL });
      else if (isObject(start) && hasFields(start)) events.push({ type: 'warning', text: lossOfBlock(start) });
    }
    return this.#emit(events);
  }

  #blockDelta(payload: JsonObject): readonly ChatEvent[] {
    const { delta } = payload;
    const index = indexOf(payload);
    if (!isObject(delta)) return NOTHING;
    const before = this.#block?.index === index ? [] : this.#endBlock();
    if (this.#block === null) {
      if (index <= this.#ended) return this.#break('The provider sent part of a block that is not open.');
      this.#block = new StreamBlock(index, 'waiting', this.#origin);
    }
    const events = this.#block.delta(delta);
    if (events === null) return this.#break('The provider sent part of a block of another type.');
    return this.#emit(before.length === 0 ? events : [...before, ...events]);
  }

  /** The provider may leave out the end of a block that another one follows. */
  #endBlock(): ChatEvent[] {
    const block = this.#block;
    if (block === null) return [];
    this.#block = null;
    this.#ended = block.index;
    return block.end();
  }

  #finish(): readonly ChatEvent[] {
    const stop = this.#stop ?? {};
    if (isFailure(asText(stop['stopReason']))) return this.#break('The model wrote something that cannot be read.');
    const events = this.#emit([
      ...this.#endBlock(),
      { type: 'finish', finish: readFinish(stop, this.#calls > 0) },
      { type: 'end', usage: this.#usage },
    ]);
    this.#over = true;
    return events;
  }

  #emit(events: readonly ChatEvent[]): readonly ChatEvent[] {
    return this.#started || events.length === 0 ? events : [...this.#start(), ...events];
  }

  #start(): readonly ChatEvent[] {
    if (this.#started) return NOTHING;
    this.#started = true;
    return [{ type: 'start', id: null, usage: null }];
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

function indexOf({ contentBlockIndex: index }: JsonObject): number {
  return typeof index === 'number' ? index : 0;
}

function hasFields(value: JsonObject): boolean {
  return Object.keys(value).length > 0;
}
