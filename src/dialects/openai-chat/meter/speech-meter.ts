/**
 * Meters speech, as bytes of sound or as events, with sound in `audio` (https://platform.openai.com/docs/api-reference/audio/speech-audio-delta-event) or
 * `delta` (https://docs.together.ai/docs/text-to-speech). Vendors charge for the whole text once they begin to answer, so that is owed from the first byte.
 */
import { asObject, asText, type JsonObject } from '../../../core/json-object.ts';
import { NO_USAGE, readCount, type Usage } from '../../../core/usage.ts';
import type { Delivered, MeterState } from '../../interface/meter.ts';
import type { WholeUsage } from '../../kit/meter/whole-meter.ts';
import { EventMeter } from './event-meter.ts';

/** What the whole text costs. */
export interface SpokenText {
  /** With the place of their price, which is 0 if they have none. */
  readonly characters: Pick<Usage, 'units' | 'unitLine'>;
  /** Of its sound, for an estimate. */
  readonly audioTokens: number;
}

export class SpeechMeter extends EventMeter {
  readonly #text: SpokenText;
  #soundBytes = 0;
  #reported: WholeUsage | null = null;

  constructor(text: SpokenText) {
    super();
    this.#text = text;
  }

  protected override bytes(count: number): void {
    this.#soundBytes += count;
    // Only a lost connection shows that sound is cut.
    this.state = 'finished';
  }

  protected stateAtDone(): MeterState {
    return this.#soundBytes > 0 ? 'finished' : 'open';
  }

  protected event({ audio, delta, usage }: JsonObject, type: string): void {
    const sound = asText(audio ?? delta);
    if (sound !== null) this.#soundBytes += Buffer.byteLength(sound, 'base64');
    else if (type === 'speech.audio.done') {
      this.#reported = readUsage(asObject(usage));
      this.end('finished');
    } else this.isUnknown = true;
  }

  usage(): Usage | null {
    const { characters } = this.#text;
    if (this.usageInvalid() || this.#soundBytes === 0) return null;
    if (this.#reported !== null) return { ...this.#reported.usage, ...this.#owed() };
    return characters.unitLine === 0 ? null : { ...NO_USAGE, ...characters };
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

/** Null for an event without usage. All of the output is sound. */
function readUsage(counts: JsonObject | null): WholeUsage | null {
  if (counts === null) return null;
  const [inputTokens, outputAudioTokens] = [readCount(counts['input_tokens']), readCount(counts['output_tokens'])];
  return {
    usage: { ...NO_USAGE, inputTokens: inputTokens ?? 0, outputAudioTokens: outputAudioTokens ?? 0 },
    isInvalid: inputTokens === null || outputAudioTokens === null,
  };
}
