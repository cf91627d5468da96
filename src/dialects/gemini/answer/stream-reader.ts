/**
 * Reads a `streamGenerateContent` stream into the neutral form. Fails closed: what is not JSON, an error inside the stream, and a stream that
 * ends without a reason all become an `error`, never an end.
 *
 * Each message has new parts; there is no last message, so the finish and the end are sent when the stream has ended.
 *
 * https://ai.google.dev/api/generate-content#method:-models.streamgeneratecontent
 */
import type { ChatEvent } from '../../../chat/response.ts';
import { GatewayError } from '../../../core/errors.ts';
import { asObject, asText, type JsonObject, objectsOf } from '../../../core/json-object.ts';
import { findLongNumbers, parseExactly } from '../../../wire/exact-numbers.ts';
import type { Frame } from '../../../wire/frames/frame.ts';
import { isShallow } from '../../../wire/json-depth.ts';
import type { StreamReader } from '../../interface/stream-reader.ts';
import { holdsError, readAnswerError } from '../errors/read-answer-error.ts';
import { UsageReport } from '../meter/read-usage.ts';
import { BlockOrder } from './block-order.ts';
import { isFailure, type ReportedFinish, readFinish } from './finish-reason.ts';
import { isNoEvent } from './no-event.ts';
import { answerObject, ID_LENGTH_MAX, readCandidate } from './read-candidate.ts';

export function openReader(): StreamReader {
  return new GeminiReader();
}

class GeminiReader implements StreamReader {
  readonly #blocks = new BlockOrder();
  readonly #usage = new UsageReport();
  #started = false;
  #ended = false;
  #finish: ReportedFinish | null = null;

  frame(frame: Frame): readonly ChatEvent[] {
    const { data } = frame;
    if (this.#ended || data === null || isNoEvent(data)) return NOTHING;
    const message = answerObject(frame.json());
    if (message === null) return this.#fail(broken('The provider sent a stream event that is not JSON.'));
    if (holdsError(message)) return this.#fail(readAnswerError(message));
    this.#usage.read(message);
    const events: ChatEvent[] = [];
    if (!this.#started) this.#start(message, events);
    try {
      this.#finish = readCandidate(exactly(message, data), this.#blocks) ?? this.#finish;
    } catch (error) {
      if (error instanceof GatewayError) return this.#failAfter(events, error);
      throw error;
    }
    if (this.#finish !== null && isFailure(this.#finish))
      return this.#failAfter(events, broken('The model wrote a tool call that cannot be read; try again.'));
    return events.length === 0 ? this.#blocks.take() : [...events, ...this.#blocks.take()];
  }

  end(): readonly ChatEvent[] {
    if (this.#ended) return NOTHING;
    if (this.#finish === null) return this.#fail(broken('The provider ended its answer before it was complete.'));
    this.#ended = true;
    this.#blocks.close();
    return [
      ...this.#blocks.take(),
      { type: 'finish', finish: readFinish(this.#finish, this.#blocks.sawCall) },
      { type: 'end', usage: this.#usage.usage() },
    ];
  }

  #start(message: JsonObject, events: ChatEvent[]): void {
    this.#started = true;
    const id = asText(message['responseId'])?.slice(0, ID_LENGTH_MAX) ?? null;
    events.push({ type: 'start', id, usage: this.#usage.usage() });
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

/** The arguments of calls keep the digits of their numbers. Throws `bad_gateway` for a call that nests too deep. */
function exactly(message: JsonObject, data: Buffer): JsonObject {
  if (!hasCall(message)) return message;
  if (!isShallow(message)) throw broken('The provider sent a function call that is nested too deeply.');
  const numbers = findLongNumbers(data);
  if (numbers === null || numbers.length === 0) return message;
  return answerObject(parseExactly(data, numbers)) ?? message;
}

function hasCall({ candidates }: JsonObject): boolean {
  for (const candidate of objectsOf(candidates))
    for (const part of objectsOf(asObject(candidate['content'])?.['parts'])) if ('functionCall' in part) return true;
  return false;
}

function broken(message: string): GatewayError {
  return new GatewayError('bad_gateway', { message });
}
