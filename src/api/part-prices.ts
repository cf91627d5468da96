/** Prices of the parts of a prompt or an answer that are no text, as texts for lists of models: USD per million tokens. */

import type { Prices } from '../catalog/model.ts';
import { formatPricePerMillion } from '../catalog/prices.ts';
import type { PicoUsd } from '../core/money.ts';
import { priceAtRate, type Rate } from '../core/rates/rate.ts';

export interface PartPriceTexts {
  readonly input_image?: string;
  readonly output_image?: string;
  readonly output_audio?: string;
}

/** Only those that are set: the others cost what text does. */
export function partPriceTexts(prices: Prices | null | undefined, rate: Rate): PartPriceTexts {
  const text = (price: PicoUsd) => formatPricePerMillion(priceAtRate(price, rate));
  const { inputImage = null, outputImage = null, outputAudio = null } = prices ?? {};
  return {
    ...(inputImage !== null && { input_image: text(inputImage) }),
    ...(outputImage !== null && { output_image: text(outputImage) }),
    ...(outputAudio !== null && { output_audio: text(outputAudio) }),
  };
}
