/**
 * Reads a stream of chat completion chunks into the neutral form. Fails closed: what is not JSON, an error inside the stream, and a stream
 * that ends without `[DONE]` or a reason all become an `error`, never an end.
 *
 * The finish and the end are sent together, at `[DONE]` or when the stream has ended: the usage may follow the reason, and vendors repeat
 * or correct the reason in later chunks.
 *
 * The chunks: https://platform.openai.com/docs/api-reference/chat/streaming
 */
import type { ChatEvent } from '../../../chat/response.ts';
import { GatewayError } from '../../../core/errors.ts';
import { asArray, asObject, asText, type JsonObject } from '../../../core/json-object.ts';
import type { Usage } from '../../../core/usage.ts';
import { findLongNumbers, parseExactly } from '../../../wire/exact-numbers.ts';
import type { Frame } from '../../../wire/frames/frame.ts';
import { isShallow } from '../../../wire/json-depth.ts';
import type { StreamReader } from '../../interface/stream-reader.ts';
import { isBlankData } from '../../kit/answer/blank-data.ts';
import { holdsError, readAnswerError } from '../errors/read-answer-error.ts';
import { findUsage, readUsage } from '../meter/read-usage.ts';
import { BlockOrder } from './block-order.ts';
import { placeOfDone } from './done-event.ts';
import { findFinish, isFailure, type ReportedFinish, readFinish } from './finish-reason.ts';
import { addLossesOfAnswer, OTHER_CHOICES } from './losses.ts';
import { readPieces } from './read-pieces.ts';

export function openReader(): StreamReader {
  return new OpenaiChatReader();
}

class OpenaiChatReader implements StreamReader {
  readonly #blocks = new BlockOrder(false);
  #started = false;
  #ended = false;
  #finish: ReportedFinish | null = null;
  #usage: Usage | null = null;

  frame(frame: Frame): readonly ChatEvent[] {
    const { data } = frame;
    if (this.#ended || data === null || isBlankData(data)) return NOTHING;
    if (placeOfDone(data) !== -1) return this.#end();
    const chunk = readChunk(frame, data);
    if (chunk === null) return this.#fail(broken('The provider sent a stream event that is not JSON.'));
    if (frame.event === 'error' || holdsError(chunk)) return this.#fail(readAnswerError(chunk));
    const choices = asArray(chunk['choices']);
    const choice = firstChoice(choices);
    // One is read; others were not asked for.
    if (choices.length > (choice === null ? 0 : 1)) this.#blocks.add(OTHER_CHOICES);
    if (choice !== null && holdsError(choice)) return this.#fail(readAnswerError(choice));
    return this.#read(chunk, choice);
  }

  /** An answer with a reason is complete even without `[DONE]`: several servers leave that out. */
  end(): readonly ChatEvent[] {
    if (this.#ended) return NOTHING;
    if (this.#finish === null) return this.#fail(broken('The provider ended its answer before it was complete.'));
    return this.#end();
  }

  #read(chunk: JsonObject, choice: JsonObject | null): readonly ChatEvent[] {
    this.#readUsage(chunk);
    const events: ChatEvent[] = [];
    // Azure's first chunk is about the prompt only; it has neither a choice nor an id.
    if (!this.#started && (choice !== null || asText(chunk['id']) !== null)) this.#start(chunk, events);
    if (choice === null) return events;
    try {
      const delta = asObject(choice['delta']);
      if (delta !== null) for (const piece of readPieces(delta)) this.#blocks.add(piece);
      const reported = findFinish(choice);
      if (reported !== null) {
        if (isFailure(reported))
          return this.#failAfter(events, broken('The provider failed in the middle of its answer.'));
        this.#finish = reported;
        this.#blocks.close();
        addLossesOfAnswer(chunk, events);
      }
    } catch (error) {
      if (error instanceof GatewayError) return this.#failAfter(events, error);
      throw error;
    }
    return join(events, this.#blocks.take());
  }

  #start(chunk: JsonObject, events: ChatEvent[]): void {
    this.#started = true;
    events.push({ type: 'start', id: asText(chunk['id'])?.slice(0, ID_LENGTH_MAX) ?? null, usage: this.#usage });
  }

  /** GLM repeats a growing usage on every chunk, so the last one counts. */
  #readUsage(chunk: JsonObject): void {
    const reading = readUsage(findUsage(chunk));
    if (reading !== null) this.#usage = reading.reported === 'none' ? null : reading.usage;
  }

  #end(): readonly ChatEvent[] {
    const events: ChatEvent[] = [];
    if (!this.#started) this.#start({}, events);
    try {
      this.#blocks.close();
    } catch (error) {
      if (error instanceof GatewayError) return this.#failAfter(events, error);
      throw error;
    }
    for (const event of this.#blocks.take()) events.push(event);
    events.push({ type: 'finish', finish: readFinish(this.#finish, this.#blocks) });
    events.push({ type: 'end', usage: this.#usage });
    this.#ended = true;
    return events;
  }

  /** What arrived before the failure is still sent: the caller has been waiting for it. */
  #failAfter(events: readonly ChatEvent[], error: GatewayError): readonly ChatEvent[] {
    return [...events, ...this.#blocks.take(), ...this.#fail(error)];
  }

  #fail(error: GatewayError): readonly ChatEvent[] {
    this.#ended = true;
    return [{ type: 'error', error }];
  }
}

const NOTHING: readonly ChatEvent[] = [];
const ID_LENGTH_MAX = 256;

/** The one with index 0: a translated request asks for one answer. */
function firstChoice(choices: readonly unknown[]): JsonObject | null {
  for (let position = 0; position < choices.length; position += 1) {
    const choice = asObject(choices[position]);
    const index = choice?.['index'];
    if (choice !== null && (typeof index === 'number' ? index : position) === 0) return choice;
  }
  return null;
}

function join(events: ChatEvent[], more: ChatEvent[]): readonly ChatEvent[] {
  if (events.length === 0) return more;
  return more.length === 0 ? events : [...events, ...more];
}

/** Local servers write a call's arguments as an object: then its numbers keep their digits. */
const OBJECT_ARGUMENTS = /"(?:arguments|input)":\s*\{/;

/** Null if it is not a JSON object. */
function readChunk(frame: Frame, data: Buffer): JsonObject | null {
  const chunk = asObject(frame.json());
  if (chunk === null || !callsTools(chunk) || !OBJECT_ARGUMENTS.test(data.toString())) return chunk;
  const numbers = findLongNumbers(data);
  return numbers !== null && numbers.length > 0 && isShallow(chunk) ? asObject(parseExactly(data, numbers)) : chunk;
}

function callsTools(chunk: JsonObject): boolean {
  for (const choice of asArray(chunk['choices'])) {
    const delta = asObject(asObject(choice)?.['delta']);
    if (delta !== null && ('tool_calls' in delta || 'function_call' in delta)) return true;
  }
  return false;
}

function broken(message: string): GatewayError {
  return new GatewayError('bad_gateway', { message });
}
