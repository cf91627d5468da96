/**
 * Meters one `generateContent` answer. A stream has no last message: it is complete if its last candidate had a reason, and the connection
 * then ends.
 *
 * https://ai.google.dev/api/generate-content
 */
import { asObject, asText, type JsonObject, objectsOf } from '../../../core/json-object.ts';
import { completionTokens, type ReportedParts, type Usage } from '../../../core/usage.ts';
import type { Frame } from '../../../wire/frames/frame.ts';
import type { Delivered, Meter, MeterState, SilentFailure } from '../../interface/meter.ts';
import type { Peek } from '../../interface/peek.ts';
import { type Tokenizer, WordCounter } from '../../kit/meter/word-counter.ts';
import type { WholeAnswer } from '../../kit/relay/whole-answer.ts';
import { findBlock, findFinish } from '../answer/finish-reason.ts';
import { isNoEvent } from '../answer/no-event.ts';
import { answerObject, ID_LENGTH_MAX } from '../answer/read-candidate.ts';
import { holdsError } from '../errors/read-answer-error.ts';
import { holdsImage, IMAGE_TOKENS, partText } from './delivered.ts';
import { isAnswer, UsageReport } from './read-usage.ts';

export function openMeter(_peek: Peek, tokenizer?: Tokenizer): Meter {
  return new GeminiMeter(tokenizer);
}

export class GeminiMeter implements Meter {
  failure: SilentFailure | null = null;
  /** Only an error is known to be the last message. */
  ended = false;
  upstreamId: string | null = null;
  finishReason: string | null = null;
  addedText = 0;
  isUnknown = false;
  readonly #report = new UsageReport();
  #isError = false;
  #isWhole = false;
  #isBlocked = false;
  #outputBytes = 0;
  /** Null if the model's tokenizer is not known: then only bytes are counted. */
  readonly #words: WordCounter | null;
  /** By candidate: whether it has its reason. */
  readonly #candidates = new Map<unknown, boolean>();
  #unfinished = 0;

  constructor(tokenizer?: Tokenizer) {
    this.#words = tokenizer === 'words' ? new WordCounter() : null;
  }

  frame(frame: Frame): void {
    const { data } = frame;
    this.addedText = 0;
    this.isUnknown = data === null || isNoEvent(data);
    if (data === null || this.isUnknown || this.ended || this.failure !== null) return;
    const message = answerObject(frame.json());
    if (message === null) this.failure = 'unreadable';
    else if (holdsError(message)) this.#isError = this.ended = true;
    else if (!isAnswer(message)) this.isUnknown = true;
    else this.#seeMessage(message);
  }

  again(textBytes: number): void {
    this.#outputBytes += textBytes;
  }

  body({ object: answer }: WholeAnswer): void {
    this.ended = true;
    this.#isWhole = true;
    if (answer === null || !isAnswer(answer)) this.#isError = true;
    else this.#see(answer);
  }

  usage(): Usage | null {
    return this.#report.usage();
  }

  reported(): ReportedParts {
    return this.#report.reported;
  }

  usageInvalid(): boolean {
    this.#report.usage();
    return this.#report.invalid;
  }

  delivered(): Delivered {
    return { outputBytes: this.#outputBytes, outputTokens: this.#words?.tokens ?? null };
  }

  get state(): MeterState {
    if (this.#isError || this.failure !== null) return 'failed';
    const isFinished = this.#isBlocked || (this.#candidates.size > 0 && this.#unfinished === 0);
    if (!isFinished && !this.#isWhole) return 'open';
    return this.#isEmpty() ? 'empty' : 'finished';
  }

  #seeMessage(message: JsonObject): void {
    const before = this.#outputBytes;
    this.#see(message);
    if (this.#words === null && saysTextOnly(message)) this.addedText = this.#outputBytes - before;
  }

  #see(answer: JsonObject): void {
    this.upstreamId ??= asText(answer['responseId'])?.slice(0, ID_LENGTH_MAX) ?? null;
    this.#report.read(answer);
    for (const candidate of objectsOf(answer['candidates'])) this.#seeCandidate(candidate);
    const block = findBlock(answer);
    if (block === null) return;
    this.#isBlocked = true;
    this.finishReason = block.word;
  }

  #seeCandidate(candidate: JsonObject): void {
    const index = candidate['index'] ?? 0;
    for (const part of objectsOf(asObject(candidate['content'])?.['parts'])) this.#seePart(part, index);
    const reason = findFinish(candidate);
    if (reason !== null) this.finishReason = reason.word;
    const finished = this.#candidates.get(index);
    if (finished === undefined && reason === null) this.#unfinished += 1;
    if (finished === false && reason !== null) this.#unfinished -= 1;
    if (finished === undefined || reason !== null) this.#candidates.set(index, reason !== null);
  }

  #seePart(part: JsonObject, index: unknown): void {
    const text = partText(part);
    this.#outputBytes += Buffer.byteLength(text);
    this.#words?.add(String(index), text);
    if (!holdsImage(part)) return;
    this.#outputBytes += IMAGE_TOKENS * BYTES_PER_TOKEN;
    this.#words?.addUnseen(IMAGE_TOKENS);
  }

  #isEmpty(): boolean {
    if (this.finishReason !== null || this.#outputBytes > 0) return false;
    const usage = this.usage();
    return usage === null || completionTokens(usage) === 0;
  }
}

/** English text has about four bytes per token. */
const BYTES_PER_TOKEN = 4;

/** Whether it only adds text to one candidate. Its usage is then that of every message that differs only in the text. */
function saysTextOnly(message: JsonObject): boolean {
  const [candidate, other] = objectsOf(message['candidates']);
  if (candidate === undefined || other !== undefined || findFinish(candidate) !== null) return false;
  if (candidate['groundingMetadata'] !== undefined || findBlock(message) !== null) return false;
  const [part, next] = objectsOf(asObject(candidate['content'])?.['parts']);
  return part !== undefined && next === undefined && asText(part['text']) !== null && !('thoughtSignature' in part);
}
