/**
 * Meters speech, as bytes of sound or as events, with sound in `audio` (https://platform.openai.com/docs/api-reference/audio/speech-audio-delta-event) or
 * `delta` (https://docs.together.ai/docs/text-to-speech). Vendors charge for the whole text once they begin to answer, so that is owed from the first byte.
 */
import { asObject, asText, type JsonObject } from '../../../core/json-object.ts';
import { NO_USAGE, type ReportedParts, readCount, type Usage } from '../../../core/usage.ts';
import { isBytes } from '../../../wire/frames/byte-splitter.ts';
import type { Frame } from '../../../wire/frames/frame.ts';
import type { Delivered, Meter, MeterState, SilentFailure } from '../../interface/meter.ts';
import type { WholeUsage } from '../../kit/meter/whole-meter.ts';

/** What the whole text costs. */
export interface SpokenText {
  /** With the place of their price, which is 0 if they have none. */
  readonly characters: Pick<Usage, 'units' | 'unitLine'>;
  /** Of its sound, for an estimate. */
  readonly audioTokens: number;
}

export class SpeechMeter implements Meter {
  state: MeterState = 'open';
  ended = false;
  failure: SilentFailure | null = null;
  isUnknown = false;
  readonly finishReason = null;
  readonly upstreamId = null;
  readonly #text: SpokenText;
  #soundBytes = 0;
  #reported: WholeUsage | null = null;

  constructor(text: SpokenText) {
    this.#text = text;
  }

  frame(frame: Frame): void {
    this.isUnknown = false;
    if (isBytes(frame)) {
      this.#soundBytes += frame.bytes.length;
      // Only a lost connection shows that sound is cut.
      this.state = 'finished';
    } else if (frame.data === null) this.isUnknown = true;
    else if (frame.data.equals(DONE)) this.#end(this.#soundBytes > 0 ? 'finished' : 'open');
    else this.#event(asObject(frame.json()));
  }

  /** Speech is never whole JSON. */
  body(): void {
    this.#end('failed');
  }

  #event(event: JsonObject | null): void {
    if (event === null) {
      this.failure = 'unreadable';
      return;
    }
    const { type, usage, error } = event;
    const sound = asText(event['audio'] ?? event['delta']);
    if (sound !== null) this.#soundBytes += Buffer.byteLength(sound, 'base64');
    else if (type === 'speech.audio.done') {
      this.#reported = readUsage(asObject(usage));
      this.#end('finished');
    } else if (type === 'error' || asObject(error) !== null) this.#end('failed');
    else this.isUnknown = true;
  }

  #end(state: MeterState): void {
    this.state = state;
    this.ended = true;
  }

  usage(): Usage | null {
    const { characters } = this.#text;
    if (this.usageInvalid() || this.#soundBytes === 0) return null;
    if (this.#reported !== null) return { ...this.#reported.usage, ...this.#owed() };
    return characters.unitLine === 0 ? null : { ...NO_USAGE, ...characters };
  }

  reported(): ReportedParts {
    return this.usage() === null ? 'none' : 'all';
  }

  usageInvalid(): boolean {
    return this.#reported?.isInvalid === true;
  }

  delivered(): Delivered {
    if (this.#soundBytes === 0) return NOTHING;
    const { audioTokens } = this.#text;
    return { outputBytes: this.#soundBytes, outputTokens: 0, audioTokens, units: this.#owed() };
  }

  /** Characters without a price are none that are counted. */
  #owed(): Pick<Usage, 'units' | 'unitLine'> {
    const { characters } = this.#text;
    return characters.unitLine === 0 ? NO_UNITS : characters;
  }
}

const NO_UNITS = { units: 0, unitLine: 0 };
const NOTHING: Delivered = { outputBytes: 0, outputTokens: 0 };
/** Some servers end every stream with it. */
const DONE = Buffer.from('[DONE]');

/** Null for an event without usage. All of the output is sound. */
function readUsage(counts: JsonObject | null): WholeUsage | null {
  if (counts === null) return null;
  const [inputTokens, outputAudioTokens] = [readCount(counts['input_tokens']), readCount(counts['output_tokens'])];
  return {
    usage: { ...NO_USAGE, inputTokens: inputTokens ?? 0, outputAudioTokens: outputAudioTokens ?? 0 },
    isInvalid: inputTokens === null || outputAudioTokens === null,
  };
}
