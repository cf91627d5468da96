/**
 * Meters one Messages answer. Never throws: an unreadable frame leaves the answer open or its usage invalid, and the gateway decides what
 * that costs.
 *
 * https://docs.anthropic.com/en/docs/build-with-claude/streaming
 */

import { asObject, isObject, type JsonObject } from '../../../core/json-object.ts';
import { type ReportedParts, readCount, type Usage } from '../../../core/usage.ts';
import type { Frame } from '../../../wire/frames/frame.ts';
import type { Delivered, Meter, MeterState, SilentFailure } from '../../interface/meter.ts';
import type { Peek } from '../../interface/peek.ts';
import { type Tokenizer, WordCounter } from '../../kit/meter/word-counter.ts';
import type { WholeAnswer } from '../../kit/relay/whole-answer.ts';
import { isNoEvent } from '../answer/no-event.ts';
import { blockText, deltaText, measureDelta } from './delivered.ts';
import { UsageReport } from './read-usage.ts';

export function openMeter(_peek: Peek, tokenizer?: Tokenizer): Meter {
  return new AnthropicMessagesMeter(tokenizer);
}

export class AnthropicMessagesMeter implements Meter {
  state: MeterState = 'open';
  failure: SilentFailure | null = null;
  ended = false;
  upstreamId: string | null = null;
  finishReason: string | null = null;
  addedText = 0;
  isUnknown = false;
  #report = new UsageReport();
  #openBlocks = 0;
  #outputBytes = 0;
  /** Null if the model's tokenizer is not known: then only bytes are counted. */
  readonly #words: WordCounter | null;

  constructor(tokenizer?: Tokenizer) {
    this.#words = tokenizer === 'words' ? new WordCounter() : null;
  }

  frame(frame: Frame): void {
    this.addedText = 0;
    this.isUnknown = frame.data === null || isNoEvent(frame.event, frame.data);
    // What follows the last frame, or an unreadable one, is not part of the answer.
    if (this.ended || this.failure !== null || frame.data === null || this.isUnknown) return;
    if (frame.event === 'content_block_delta') this.#delta(frame, frame.data);
    else this.#event(frame, frame.data);
  }

  again(textBytes: number): void {
    this.#outputBytes += textBytes;
  }

  body({ object: message }: WholeAnswer): void {
    this.ended = true;
    // A page, an error with status 200, and other JSON are not answers.
    if (message === null || message['type'] === 'error' || !Array.isArray(message['content'])) {
      this.state = 'failed';
      return;
    }
    this.#identify(message);
    this.#report.readFinal(message['usage']);
    for (const [index, block] of message['content'].entries()) if (isObject(block)) this.#addBlock(index, block);
    this.state = this.#isEmpty() ? 'empty' : 'finished';
  }

  /**
   * Before `message_delta`, the counters of the prompt are exact but the output count is a placeholder of about 1, and not reported: use
   * `delivered()` for the output.
   */
  usage(): Usage | null {
    return this.#report.usage();
  }

  reported(): ReportedParts {
    return this.#report.reported;
  }

  usageInvalid(): boolean {
    return this.#report.invalid;
  }

  delivered(): Delivered {
    return { outputBytes: this.#outputBytes, outputTokens: this.#words?.tokens ?? null };
  }

  #event(frame: Frame, data: Buffer): void {
    const payload = asObject(frame.json());
    const type = frame.event ?? payload?.['type'];
    if (type === 'error' || (type === undefined && isObject(payload?.['error']))) {
      this.ended = true;
      this.state = 'failed';
    } else if (payload !== null) {
      this.#read(type, payload, frame, data);
    } else if (type === 'ping' || data.toString().trim() === '[DONE]') {
      // Other formats end with that, and gateways in between add it here, too. Clients cannot read anything else.
      this.isUnknown = true;
    } else {
      this.state = 'failed';
      this.failure = 'unreadable';
    }
  }

  #read(type: unknown, payload: JsonObject, frame: Frame, data: Buffer): void {
    switch (type) {
      case 'content_block_delta':
        return this.#delta(frame, data);
      case 'message_start':
        return this.#messageStart(payload['message']);
      case 'content_block_start':
        return this.#blockStart(payload);
      case 'content_block_stop':
        this.#openBlocks = Math.max(0, this.#openBlocks - 1);
        return;
      case 'message_delta':
        return this.#messageDelta(payload);
      case 'message_stop':
        this.ended = true;
        this.state = this.#isEmpty() ? 'empty' : 'finished';
        return;
      default:
        // A ping, or an event of a newer version of the format.
        this.isUnknown = true;
    }
  }

  /** Also called for a second start, when the provider retried internally: the retry replaces what came before. */
  #messageStart(message: unknown): void {
    this.#report = new UsageReport();
    this.#openBlocks = 0;
    this.#outputBytes = 0;
    this.#words?.reset();
    this.state = 'open';
    if (!isObject(message)) {
      this.#report.invalid = true;
      return;
    }
    this.#identify(message);
    this.#report.readStart(message['usage']);
  }

  #blockStart(event: JsonObject): void {
    this.#openBlocks += 1;
    const block = event['content_block'];
    if (isObject(block)) this.#addBlock(event['index'], block);
  }

  #addBlock(index: unknown, block: JsonObject): void {
    if (this.#words !== null && typeof block['name'] === 'string')
      this.#words.add(`${String(index)} name`, block['name']);
    this.#addText(index, blockText(block));
  }

  #addText(index: unknown, text: string): void {
    this.#outputBytes += Buffer.byteLength(text);
    this.#words?.add(String(index), text);
  }

  #delta(frame: Frame, data: Buffer): void {
    const bytes = this.#words === null ? measureDelta(data) : -1;
    if (bytes >= 0) {
      this.#outputBytes += bytes;
      this.addedText = bytes;
      return;
    }
    const event = asObject(frame.json());
    if (event === null) {
      this.state = 'failed';
      this.failure = 'unreadable';
      return;
    }
    const delta = event['delta'];
    if (!isObject(delta)) return;
    this.#addText(event['index'], deltaText(delta));
    // With `thinking.display: "omitted"` the provider counts thinking but does not send it.
    const unseenTokens = delta['thinking'] === '' ? readCount(delta['estimated_tokens']) : null;
    if (unseenTokens === null) return;
    this.#outputBytes += unseenTokens * BYTES_PER_TOKEN;
    this.#words?.addUnseen(unseenTokens);
  }

  #messageDelta(event: JsonObject): void {
    this.#report.readFinal(event['usage']);
    const delta = event['delta'];
    if (!isObject(delta) || typeof delta['stop_reason'] !== 'string') return;
    this.finishReason = delta['stop_reason'];
    // Claude Code accepts such a stream as complete even if `message_stop` never arrives.
    if (this.#openBlocks === 0) this.state = 'finished';
  }

  #identify(message: JsonObject): void {
    this.upstreamId = typeof message['id'] === 'string' ? message['id'] : null;
    this.finishReason = typeof message['stop_reason'] === 'string' ? message['stop_reason'] : null;
  }

  #isEmpty(): boolean {
    if (this.finishReason !== null && this.finishReason !== '') return false;
    return this.#outputBytes === 0 && this.#report.outputTokens === 0;
  }
}

/** English text has about four bytes per token; used for thinking that is counted but not sent. */
const BYTES_PER_TOKEN = 4;
