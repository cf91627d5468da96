/** What a model costs by the token and by the piece, in words and in figures to sort and filter by. */
import { formatPrice } from './money.ts';

export interface ModelPricing {
  /** USD per million tokens; null if it is not known. */
  readonly input: string | null;
  readonly output: string | null;
  /** Of images that are read, and of images and sound in an answer; absent if they cost what other tokens do. */
  readonly input_image?: string | undefined;
  readonly output_image?: string | undefined;
  readonly output_audio?: string | undefined;
  /** USD a piece, by the unit's name, such as `image/1024x1024`. */
  readonly units?: Readonly<Record<string, string>> | undefined;
}

/** A dash if it is charged by the piece alone: `free` would be wrong. */
export function inputPrice(pricing: ModelPricing): string {
  return isByPiece(pricing) ? '–' : formatPrice(pricing.input);
}

/** `$10.00`, `$0.01/image`, `$10.00 + $0.01–0.17/image`. */
export function outputPrice(pricing: ModelPricing): string {
  const pieces = piecePrices(pricing);
  if (pieces === null) return formatPrice(pricing.output);
  return isByPiece(pricing) ? pieces : `${formatPrice(pricing.output)} + ${pieces}`;
}

/** The same for what is no text: `$10.00 images`, `$30.00 images, $64.00 audio`; null if there is no such price. */
export function inputPartPrices({ input_image: image }: ModelPricing): string | null {
  return partPrices([[image, 'images']]);
}

export function outputPartPrices({ output_image: image, output_audio: audio }: ModelPricing): string | null {
  return partPrices([
    [image, 'images'],
    [audio, 'audio'],
  ]);
}

function partPrices(parts: readonly (readonly [price: string | undefined, what: string])[]): string | null {
  const texts = parts.flatMap(([price, what]) => (price === undefined ? [] : `${formatPrice(price)} ${what}`));
  return texts.length === 0 ? null : texts.join(', ');
}

/** USD per million tokens; null without a price by the token. */
export function tokenPrice(pricing: ModelPricing, side: 'input' | 'output'): number | null {
  const price = pricing[side];
  return price === null || isByPiece(pricing) ? null : Number(price);
}

function isByPiece(pricing: ModelPricing): boolean {
  return piecePrices(pricing) !== null && Number(pricing.input) === 0 && Number(pricing.output) === 0;
}

function piecePrices({ units = {} }: ModelPricing): string | null {
  const kinds = new Map<string, string[]>();
  for (const [unit, price] of Object.entries(units)) {
    const [kind = unit] = unit.split('/', 1);
    kinds.set(kind, [...(kinds.get(kind) ?? []), price]);
  }
  const texts = [...kinds].flatMap(([kind, prices]) => rangeText(prices, kind) ?? []);
  return texts.length === 0 ? null : texts.join(' + ');
}

function rangeText(prices: readonly string[], kind: string): string | null {
  const [least = '0', ...dearer] = [...prices].sort((one, other) => Number(one) - Number(other));
  const most = dearer.at(-1) ?? least;
  if (Number(most) === 0) return null;
  return `$${least === most ? most : `${least}–${most}`}/${kind}`;
}
