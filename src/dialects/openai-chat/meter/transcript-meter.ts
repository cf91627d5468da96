/**
 * Meters a transcript, as JSON, as text, or as events, OpenAI's (https://platform.openai.com/docs/api-reference/audio/transcript-text-done-event) or
 * Mistral's (https://docs.mistral.ai/studio-api/audio/speech_to_text/offline_transcription). Seconds come from the usage, or from the `duration` of a
 * verbose answer; tokens from the usage. Text and subtitles report nothing, and many servers report nothing in JSON: then it is as long as sound
 * of its bytes usually is.
 */
import { asObject, asText, type JsonObject } from '../../../core/json-object.ts';
import { NO_USAGE, readCount, type Usage } from '../../../core/usage.ts';
import type { Delivered, MeterState } from '../../interface/meter.ts';
import type { WholeAnswer } from '../../kit/relay/whole-answer.ts';
import { countSeconds } from './count-seconds.ts';
import { EventMeter } from './event-meter.ts';

export interface Recording {
  /** The place of the price of a second; 0 if it has none. */
  readonly unitLine: number;
  /** Whether the answer is nothing but text: if there is none, nothing was said. */
  readonly isPlainText: boolean;
  /** The fewest that the provider charges for. */
  readonly leastSeconds: number;
  /** How long sound of its bytes usually lasts; asked when all of it has arrived. */
  usualSeconds(): number;
}

export class TranscriptMeter extends EventMeter {
  readonly #recording: Recording;
  #textBytes = 0;
  /** Whether an answer has begun. */
  #hasAnswer = false;
  #usage: Usage | null = null;
  #isInvalid = false;

  constructor(recording: Recording) {
    super();
    this.#recording = recording;
    if (recording.isPlainText) this.state = 'empty';
  }

  protected override bytes(count: number): void {
    this.#addText(count);
    // Only a lost connection shows that text is cut.
    this.state = 'finished';
  }

  protected stateAtDone(): MeterState {
    return this.#hasAnswer ? 'finished' : 'open';
  }

  override body({ object }: WholeAnswer): void {
    this.readWhole(object);
  }

  /** A whole answer in OpenAI's form; null if it is none. */
  readWhole(answer: JsonObject | null): void {
    const text = answer?.['text'];
    // It is empty if nothing was said.
    if (answer === null || typeof text !== 'string') return this.end('failed');
    this.#addText(Buffer.byteLength(text));
    this.#report(answer);
    this.end('finished');
  }

  protected event(event: JsonObject, type: string): void {
    const { delta, text } = event;
    if (type === 'transcript.text.done' || type === 'transcription.done') {
      this.#hasAnswer = true;
      this.#report(event);
      this.end('finished');
    } else if (type === 'transcript.text.delta') this.#addText(Buffer.byteLength(asText(delta) ?? ''));
    else if (type === 'transcription.text.delta') this.#addText(Buffer.byteLength(asText(text) ?? ''));
    else if (type === 'transcript.text.segment' || type === 'transcription.segment') this.#hasAnswer = true;
    else this.isUnknown = true;
  }

  #addText(bytes: number): void {
    this.#hasAnswer = true;
    this.#textBytes += bytes;
  }

  #report(answer: JsonObject): void {
    const counts = asObject(answer['usage']);
    const { seconds: ofUsage, prompt_audio_seconds: ofPrompt } = counts ?? {};
    const seconds = ofUsage ?? ofPrompt ?? answer['duration'];
    // What is charged by the second is not charged by tokens, and the other way round.
    if (this.#recording.unitLine === 0) this.#reportTokens(counts ?? {});
    else if (seconds !== undefined && seconds !== null) this.#reportSeconds(seconds);
  }

  #reportSeconds(stated: unknown): void {
    const seconds = countSeconds(stated);
    this.#isInvalid = seconds === null;
    const { unitLine, leastSeconds } = this.#recording;
    if (seconds !== null) this.#usage = { ...NO_USAGE, units: Math.max(seconds, leastSeconds), unitLine };
  }

  #reportTokens(counts: JsonObject): void {
    const given = [
      counts['input_tokens'] ?? counts['prompt_tokens'],
      counts['output_tokens'] ?? counts['completion_tokens'],
    ];
    // Many servers report nothing.
    if (given.every((count) => count === undefined)) return;
    const [input = null, output = null] = given.map(readCount);
    const details = asObject(counts['input_token_details']);
    const audio = details === null ? input : readCount(details['audio_tokens'] ?? 0);
    this.#isInvalid = input === null || output === null || audio === null || audio > input;
    if (this.#isInvalid) return;
    this.#usage = {
      ...NO_USAGE,
      inputTokens: (input ?? 0) - (audio ?? 0),
      inputAudioTokens: audio ?? 0,
      outputTokens: output ?? 0,
    };
  }

  usage(): Usage | null {
    return this.#isInvalid ? null : this.#usage;
  }

  usageInvalid(): boolean {
    return this.#isInvalid;
  }

  delivered(): Delivered {
    if (!this.#hasAnswer) return NOTHING;
    const { unitLine, leastSeconds } = this.#recording;
    const units =
      unitLine === 0 ? NO_UNITS : { units: Math.max(this.#recording.usualSeconds(), leastSeconds), unitLine };
    return { outputBytes: this.#textBytes, outputTokens: null, units };
  }
}

const NO_UNITS = { units: 0, unitLine: 0 };
const NOTHING: Delivered = { outputBytes: 0, outputTokens: null };
