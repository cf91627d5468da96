/**
 * Meters one answer in the chat completions format.
 *
 * `[DONE]` is its proper end, whatever the finish reasons. It is not required: several compatible servers leave it out, and SDKs accept
 * such a stream as complete; but without it, as many choices as requested must have a finish reason, so that a truncated stream is not
 * taken for a complete one.
 *
 * The chunks: https://platform.openai.com/docs/api-reference/chat/streaming
 */
import { asArray, asObject, asText, type JsonObject } from '../../../core/json-object.ts';
import { completionTokens, type ReportedParts, type Usage } from '../../../core/usage.ts';
import type { Frame } from '../../../wire/frames/frame.ts';
import type { Delivered, Meter, MeterState, SilentFailure } from '../../interface/meter.ts';
import type { Peek } from '../../interface/peek.ts';
import { isBlankData } from '../../kit/answer/blank-data.ts';
import { type Tokenizer, WordCounter } from '../../kit/meter/word-counter.ts';
import type { WholeAnswer } from '../../kit/relay/whole-answer.ts';
import { placeOfDone } from '../answer/done-event.ts';
import { findFinish, isFailure } from '../answer/finish-reason.ts';
import { holdsError } from '../errors/read-answer-error.ts';
import { holdsOutput, outputBytes } from './delivered.ts';
import { countWords } from './delivered-words.ts';
import { findUsage, readUsage, type UsageReading } from './read-usage.ts';

export function openMeter({ choices }: Peek, tokenizer?: Tokenizer): Meter {
  return new OpenaiChatMeter(choices, tokenizer);
}

export class OpenaiChatMeter implements Meter {
  readonly #choicesAsked: number;
  #reading: UsageReading | null = null;
  #outputBytes = 0;
  /** Null if the model's tokenizer is not known: then only bytes are counted. */
  readonly #words: WordCounter | null;
  #hasOutput = false;
  failure: SilentFailure | null = null;
  /** The provider reported an error in the stream; nothing after it matters. */
  #errorSeen = false;
  /** `[DONE]`, or the end of a whole answer. */
  #done = false;
  #upstreamId: string | null = null;
  #finishReason: string | null = null;
  addedText = 0;
  isUnknown = false;
  /** By choice index: whether it has its finish reason. */
  readonly #choices = new Map<number, boolean>();
  /** The number of choices without one. */
  #unfinished = 0;

  constructor(choicesAsked: number, tokenizer?: Tokenizer) {
    this.#choicesAsked = choicesAsked;
    this.#words = tokenizer === 'words' ? new WordCounter() : null;
  }

  frame(frame: Frame): void {
    const { data } = frame;
    this.addedText = 0;
    this.isUnknown = data === null || isBlankData(data);
    if (data === null || this.isUnknown) return;
    if (placeOfDone(data) !== -1) {
      this.#done = true;
      return;
    }
    const chunk = asObject(frame.json());
    // Clients of this format parse every event and throw here, so the answer is broken for the caller.
    if (chunk === null) this.failure = 'unreadable';
    else this.#seeChunk(chunk);
    if (frame.event !== 'error') return;
    this.#errorSeen = true;
    this.addedText = 0;
  }

  again(textBytes: number): void {
    this.#outputBytes += textBytes;
  }

  body({ object: answer }: WholeAnswer): void {
    this.#done = true;
    if (answer === null || !isAnswer(answer)) this.failure = 'unreadable';
    if (answer !== null) this.#see(answer, 'message');
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

  get state(): MeterState {
    if (this.#errorSeen || this.failure !== null) return 'failed';
    if (this.#done) return this.#isEmpty() ? 'empty' : 'finished';
    if (this.#choices.size === 0) return 'open';
    return this.#unfinished === 0 && this.#choices.size >= this.#choicesAsked ? 'finished' : 'open';
  }

  get ended(): boolean {
    return this.#done || this.#errorSeen;
  }

  get upstreamId(): string | null {
    return this.#upstreamId;
  }

  get finishReason(): string | null {
    return this.#finishReason;
  }

  #seeChunk(chunk: JsonObject): void {
    const bytesBefore = this.#outputBytes;
    this.isUnknown = !Array.isArray(chunk['choices']);
    this.#see(chunk, 'delta');
    const bytes = this.#outputBytes - bytesBefore;
    if (bytes === 0 || this.failure !== null || this.#errorSeen || this.#words !== null) return;
    if (saysTextOnly(chunk)) this.addedText = bytes;
  }

  #see(chunk: JsonObject, part: 'delta' | 'message'): void {
    if (holdsError(chunk)) this.#errorSeen = true;
    this.#upstreamId ??= asText(chunk['id'])?.slice(0, ID_LENGTH_MAX) ?? null;
    const choices = asArray(chunk['choices']);
    for (let position = 0; position < choices.length; position += 1) {
      const choice = asObject(choices[position]);
      if (choice !== null) this.#seeChoice(choice, position, part);
    }
    this.#seeUsage(chunk);
  }

  #seeChoice(choice: JsonObject, position: number, part: 'delta' | 'message'): void {
    const index = typeof choice['index'] === 'number' ? choice['index'] : position;
    const delta = asObject(choice[part]);
    if (delta !== null) {
      this.#outputBytes += outputBytes(delta);
      this.#hasOutput ||= holdsOutput(delta);
      if (this.#words !== null) countWords(this.#words, index, delta);
    }
    const reason = findFinish(choice);
    if (reason !== null) {
      this.#finishReason = reason.word;
      if (isFailure(reason)) this.failure ??= 'reason';
    }
    // OpenRouter reports a failure of one choice there: https://openrouter.ai/docs/api-reference/errors
    if (holdsError(choice)) this.failure ??= 'reason';
    const finished = this.#choices.get(index);
    if (finished === undefined && reason === null) this.#unfinished += 1;
    if (finished === false && reason !== null) this.#unfinished -= 1;
    if (reason !== null || finished === undefined) this.#choices.set(index, reason !== null);
  }

  /** GLM repeats a growing usage on every chunk, so the last one counts. */
  #seeUsage(chunk: JsonObject): void {
    this.#reading = readUsage(findUsage(chunk)) ?? this.#reading;
  }

  #isEmpty(): boolean {
    if (this.#finishReason !== null || this.#outputBytes > 0 || this.#hasOutput) return false;
    const usage = this.usage();
    return usage === null || completionTokens(usage) === 0;
  }
}

const ID_LENGTH_MAX = 256;

/** Each choice of an answer has a message; in an answer without choices only the usage matters. */
function isAnswer(answer: JsonObject): boolean {
  const choices = answer['choices'];
  if (!Array.isArray(choices)) return false;
  return choices.length === 0 || asObject(asObject(choices[0])?.['message']) !== null;
}

function saysTextOnly(chunk: JsonObject): boolean {
  const choices = asArray(chunk['choices']);
  const choice = asObject(choices[0]);
  const delta = asObject(choice?.['delta']);
  if (choices.length !== 1 || choice === null || delta === null) return false;
  return asText(choice['finish_reason']) === null && !holdsOutput(delta) && findUsage(chunk) === null;
}
