/**
 * Meters one Converse answer. Never throws: an unreadable frame leaves the answer open or its usage invalid, and the gateway decides what
 * that costs.
 *
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html
 */
import { asObject, asText, isObject, type JsonObject } from '../../../core/json-object.ts';
import type { ReportedParts, Usage } from '../../../core/usage.ts';
import { EXCEPTION } from '../../../wire/frames/event-stream-message.ts';
import type { Frame } from '../../../wire/frames/frame.ts';
import type { Delivered, Meter, MeterState, SilentFailure } from '../../interface/meter.ts';
import type { Peek } from '../../interface/peek.ts';
import { type Tokenizer, WordCounter } from '../../kit/meter/word-counter.ts';
import type { WholeAnswer } from '../../kit/relay/whole-answer.ts';
import { contentOf } from '../answer/content-of.ts';
import { isFailure } from '../answer/finish-reason.ts';
import { blockText, deltaText } from './delivered.ts';
import { readUsage, type UsageReading } from './read-usage.ts';

export function openMeter(_peek: Peek, tokenizer?: Tokenizer): Meter {
  return new BedrockConverseMeter(tokenizer);
}

class BedrockConverseMeter implements Meter {
  state: MeterState = 'open';
  failure: SilentFailure | null = null;
  ended = false;
  /** The format has none: the request's id is in a header. */
  readonly upstreamId = null;
  finishReason: string | null = null;
  isUnknown = false;
  #stopped = false;
  #reading: UsageReading | null = null;
  #outputBytes = 0;
  /** Null if the model's tokenizer is not known: then only bytes are counted. */
  readonly #words: WordCounter | null;

  constructor(tokenizer?: Tokenizer) {
    this.#words = tokenizer === 'words' ? new WordCounter() : null;
  }

  frame(frame: Frame): void {
    this.isUnknown = false;
    // What follows the last frame, or an unreadable one, is not part of the answer.
    if (this.ended || this.failure !== null) return;
    if (frame.event?.startsWith(EXCEPTION) === true) {
      this.ended = true;
      this.state = 'failed';
      return;
    }
    const payload = asObject(frame.json());
    if (payload === null) {
      this.state = 'failed';
      this.failure = 'unreadable';
    } else this.#event(frame.event, payload);
  }

  body({ object: answer }: WholeAnswer): void {
    this.ended = true;
    const content = answer === null ? null : contentOf(answer);
    if (answer === null || content === null) {
      this.state = 'failed';
      return;
    }
    for (const [index, block] of content.entries()) {
      if (isObject(block['toolUse'])) this.#addName(index, block['toolUse']);
      this.#addText(index, blockText(block));
    }
    this.#reading = readUsage(answer['usage']);
    this.#stop(answer['stopReason']);
  }

  usage(): Usage | null {
    return this.#reading?.usage ?? null;
  }

  reported(): ReportedParts {
    return this.#reading?.reported ?? 'none';
  }

  usageInvalid(): boolean {
    return this.#reading?.isInvalid ?? false;
  }

  delivered(): Delivered {
    return { outputBytes: this.#outputBytes, outputTokens: this.#words?.tokens ?? null };
  }

  #event(event: string | null, payload: JsonObject): void {
    switch (event) {
      case 'messageStart':
      case 'contentBlockStop':
        return;
      case 'contentBlockStart': {
        const { contentBlockIndex: index, start } = payload;
        if (isObject(start) && isObject(start['toolUse'])) this.#addName(index, start['toolUse']);
        return;
      }
      case 'contentBlockDelta': {
        const { contentBlockIndex: index, delta } = payload;
        if (isObject(delta)) this.#addText(index, deltaText(delta));
        return;
      }
      case 'messageStop':
        this.#stopped = true;
        this.#stop(payload['stopReason']);
        this.ended = this.#reading !== null;
        return;
      case 'metadata':
        // Nearly always the last event.
        this.#reading = readUsage(payload['usage']) ?? this.#reading;
        this.ended = this.#stopped;
        return;
      default:
        this.isUnknown = true;
    }
  }

  #stop(reason: unknown): void {
    this.finishReason = asText(reason);
    if (isFailure(this.finishReason)) this.state = 'failed';
    else this.state = this.#isEmpty() ? 'empty' : 'finished';
  }

  #isEmpty(): boolean {
    if (this.finishReason !== null || this.#outputBytes > 0) return false;
    return (this.usage()?.outputTokens ?? 0) === 0;
  }

  #addName(index: unknown, { name }: JsonObject): void {
    if (typeof name === 'string') this.#words?.add(`${String(index)} name`, name);
  }

  #addText(index: unknown, text: string): void {
    this.#outputBytes += Buffer.byteLength(text);
    this.#words?.add(String(index), text);
  }
}
