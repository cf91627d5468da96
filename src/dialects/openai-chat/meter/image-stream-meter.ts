/**
 * Meters images that come as events: previews, then each image with what it cost. An image of which there are previews is owed: it has been made, and
 * the last preview is nearly the image.
 * https://platform.openai.com/docs/api-reference/images-streaming
 */
import { asText, type JsonObject } from '../../../core/json-object.ts';
import { NO_USAGE, type Usage } from '../../../core/usage.ts';
import type { Delivered, MeterState } from '../../interface/meter.ts';
import type { AskedUnits } from '../../interface/peek.ts';
import type { WholeUsage } from '../../kit/meter/whole-meter.ts';
import { EventMeter } from './event-meter.ts';
import { IMAGE_TOKENS, imageLine, PARTIAL_IMAGE_TOKENS, readImageUsage, type UnitLine } from './image-usage.ts';

export class ImageStreamMeter extends EventMeter {
  readonly #asked: AskedUnits;
  readonly #lineOf: UnitLine;
  readonly #readsImages: boolean;
  #bytes = 0;
  #partialImages = 0;
  /** Whether there are previews of an image that has not come. */
  #isMaking = false;
  #images = 0;
  #unitLine = 0;
  #reported: WholeUsage | null = null;

  /** `readsImages`: whether the request has images to read. */
  constructor(asked: AskedUnits, lineOf: UnitLine, readsImages: boolean) {
    super();
    this.#asked = asked;
    this.#lineOf = lineOf;
    this.#readsImages = readsImages;
  }

  /** All images may have come before. */
  protected stateAtDone(): MeterState {
    return this.state;
  }

  protected event(event: JsonObject, type: string): void {
    const image = asText(event['b64_json']) ?? asText(event['url']);
    if (image === null) {
      this.isUnknown = true;
      return;
    }
    this.#bytes += image.length;
    this.#isMaking = !type.endsWith('.completed');
    // All images of a call have one class, which the first one states.
    if (this.#images === 0) this.#unitLine = imageLine(event, this.#asked, this.#lineOf);
    if (this.#isMaking) this.#partialImages += 1;
    else this.#complete(event);
  }

  #complete(event: JsonObject): void {
    this.#images += 1;
    this.#reported = sumOf(this.#reported, readImageUsage(event, this.#readsImages));
    this.state = 'finished';
    this.ended = this.#images >= this.#asked.most;
  }

  usage(): Usage | null {
    if (this.#images === 0 || this.usageInvalid()) return null;
    const units = this.#unitsOf(this.#images);
    if (this.#reported !== null) return { ...this.#reported.usage, ...units };
    return this.#unitLine === 0 ? null : { ...NO_USAGE, ...units };
  }

  usageInvalid(): boolean {
    return this.#reported?.isInvalid === true;
  }

  delivered(): Delivered {
    const owed = this.#isMaking ? this.#images + 1 : this.#images;
    const outputTokens = owed * IMAGE_TOKENS + this.#partialImages * PARTIAL_IMAGE_TOKENS;
    return { outputBytes: this.#bytes, outputTokens, units: this.#unitsOf(owed) };
  }

  #unitsOf(units: number): Pick<Usage, 'units' | 'unitLine'> {
    return { units, unitLine: this.#unitLine };
  }
}

/** Each event has the usage of its own image. */
function sumOf(one: WholeUsage | null, other: WholeUsage | null): WholeUsage | null {
  if (one === null || other === null) return one ?? other;
  return {
    usage: {
      ...NO_USAGE,
      inputTokens: one.usage.inputTokens + other.usage.inputTokens,
      inputImageTokens: one.usage.inputImageTokens + other.usage.inputImageTokens,
      outputTokens: one.usage.outputTokens + other.usage.outputTokens,
      outputImageTokens: one.usage.outputImageTokens + other.usage.outputImageTokens,
    },
    isInvalid: one.isInvalid || other.isInvalid,
  };
}
