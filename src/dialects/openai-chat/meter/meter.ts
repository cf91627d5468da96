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
import { type ChoiceForm, ofConversation } from './choice-form.ts';
import { holdsOutput, outputBytes } from './delivered.ts';
import { countWords } from './delivered-words.ts';
import { findUsage, readUsage, type UsageReading } from './read-usage.ts';

export function openMeter({ choices }: Peek, tokenizer?: Tokenizer): Meter {
  return new OpenaiChatMeter(choices, tokenizer);
}

/** What a meter of other answers than those of a conversation knows about them. */
export interface MeteredAnswers {
  readonly form: ChoiceForm;
  /** Bytes of the prompt that they repeat before their output, at most. */
  readonly echoedBytes: number;
}

export class OpenaiChatMeter implements Meter {
  readonly #choicesAsked: number;
  readonly #form: ChoiceForm;
  readonly #echoedBytes: number;
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

  constructor(choicesAsked: number, tokenizer?: Tokenizer, { form, echoedBytes }: MeteredAnswers = CONVERSATION) {
    this.#choicesAsked = choicesAsked;
    this.#form = form;
    this.#echoedBytes = echoedBytes;
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
    if (answer === null || !isAnswer(answer, this.#form)) this.failure = 'unreadable';
    if (answer !== null) this.#see(answer, this.#form.whole);
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
    const outputBytes = Math.max(0, this.#outputBytes - this.#echoedBytes);
    return { outputBytes, outputTokens: this.#words?.tokens ?? null };
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
    this.#see(chunk, this.#form.streamed);
    const bytes = this.#outputBytes - bytesBefore;
    if (bytes === 0 || this.failure !== null || this.#errorSeen || this.#words !== null) return;
    if (saysTextOnly(chunk, this.#form)) this.addedText = bytes;
  }

  #see(chunk: JsonObject, outputOf: ChoiceForm['whole']): void {
    if (holdsError(chunk)) this.#errorSeen = true;
    this.#upstreamId ??= asText(chunk['id'])?.slice(0, ID_LENGTH_MAX) ?? null;
    const choices = asArray(chunk['choices']);
    for (let position = 0; position < choices.length; position += 1) {
      const choice = asObject(choices[position]);
      if (choice !== null) this.#seeChoice(choice, position, outputOf);
    }
    this.#seeUsage(chunk);
  }

  #seeChoice(choice: JsonObject, position: number, outputOf: ChoiceForm['whole']): void {
    const index = typeof choice['index'] === 'number' ? choice['index'] : position;
    const delta = outputOf(choice);
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
const CONVERSATION: MeteredAnswers = { form: ofConversation, echoedBytes: 0 };

/** Each choice of an answer has a message, or a text; in an answer without choices only the usage matters. */
function isAnswer(answer: JsonObject, { whole }: ChoiceForm): boolean {
  const choices = answer['choices'];
  if (!Array.isArray(choices)) return false;
  const first = asObject(choices[0]);
  return choices.length === 0 || (first !== null && whole(first) !== null);
}

function saysTextOnly(chunk: JsonObject, { streamed }: ChoiceForm): boolean {
  const choices = asArray(chunk['choices']);
  const choice = asObject(choices[0]);
  if (choices.length !== 1 || choice === null) return false;
  const delta = streamed(choice);
  if (delta === null) return false;
  return asText(choice['finish_reason']) === null && !holdsOutput(delta) && findUsage(chunk) === null;
}
