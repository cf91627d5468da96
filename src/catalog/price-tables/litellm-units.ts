/**
 * What LiteLLM's table has of models that are charged by the piece: images, characters, seconds, searches. A model that has prices of tokens is charged
 * by those instead: the table has both where a vendor says what an image comes to, and both would be charged.
 */
import { type PicoUsd, picoUsd } from '../../core/money.ts';
import { UNIT_PRICES_MAX, type UnitPrice, unitPrices } from '../../core/units/units.ts';
import { picoPerUnit } from './exact-json.ts';
import type { LitellmEntry, LitellmTable } from './litellm-prices.ts';

/** How its table writes a class of images: `hd/1024-x-1792/dall-e-3`, or without a quality. */
const CLASS = /^(?:(low|medium|high|standard|hd)\/)?([1-9]\d{1,4})-x-([1-9]\d{1,4})\/([^/]+)$/;
/** Classes of other kinds are in the keys of other models: `max-x-max/50-steps/…`. */
const OTHER_CLASS = /(?:^|\/)(?:\d+|max)-x-(?:\d+|max)\//;

const IMAGES: ReadonlySet<unknown> = new Set(['image_generation', 'image_edit']);
const TOKENS = ['input_cost_per_token', 'output_cost_per_token', 'output_cost_per_image_token'];

/** Whether a key of the table is no model, but a class of what one makes. */
export function isLitellmClass(key: string): boolean {
  return OTHER_CLASS.test(key);
}

/** By provider and model, as the table calls both, its prices of classes. */
export type ClassPrices = ReadonlyMap<string, readonly (readonly [unit: string, price: PicoUsd])[]>;

/**
 * The table with an entry for each model of which it has classes of images alone: without one, their prices would go with their keys. Keys that it
 * has stay as they are.
 */
export function withClassModels(table: LitellmTable): LitellmTable {
  const added: Record<string, LitellmEntry> = {};
  for (const [key, entry] of Object.entries(table)) {
    const model = CLASS.exec(key)?.[4];
    const provider = entry['litellm_provider'];
    if (model === undefined || typeof provider !== 'string') continue;
    const isListed = [model, `${provider}/${model}`].some((name) => table[name]?.['litellm_provider'] === provider);
    if (!isListed) added[`${provider}/${model}`] = { litellm_provider: provider, mode: 'image_generation' };
  }
  return { ...added, ...table };
}

/** Reads them once for all models. Classes without a valid price are left out. */
export function litellmClasses(table: LitellmTable): ClassPrices {
  const classes = new Map<string, (readonly [string, PicoUsd])[]>();
  for (const [key, entry] of Object.entries(table)) {
    const [, quality, width, height, model] = CLASS.exec(key) ?? [];
    if (model === undefined) continue;
    const price = priceOfClass(entry, BigInt(width as string) * BigInt(height as string));
    if (price === null) continue;
    const place = placeOf(entry, model);
    const unit = ['image', `${width}x${height}`, ...(quality === undefined ? [] : [quality])].join('/');
    const known = classes.get(place);
    if (known === undefined) classes.set(place, [[unit, price]]);
    else known.push([unit, price]);
  }
  return classes;
}

/** Empty for a model that is charged by its tokens, or for which the table has no such price. Throws a `RangeError` for what is no price. */
export function litellmUnits(entry: LitellmEntry, upstreamModel: string, classes: ClassPrices): readonly UnitPrice[] {
  if (TOKENS.some((name) => entry[name] !== undefined && picoPerUnit(entry[name], 1) > 0n)) return [];
  const one = (kind: string, ...names: readonly string[]) => {
    const price = largest(names.flatMap((name) => (entry[name] === undefined ? [] : [picoPerUnit(entry[name], 1)])));
    return unitPrices(price === null ? [] : [[kind, price]]);
  };
  if (IMAGES.has(entry['mode'])) {
    const all = one('image', 'output_cost_per_image', 'input_cost_per_image').map(
      ({ unit, price }) => [unit, price] as const,
    );
    return bounded(unitPrices(new Map([...all, ...(classes.get(placeOf(entry, upstreamModel)) ?? [])])));
  }
  switch (entry['mode']) {
    case 'audio_speech':
      return one('character', 'input_cost_per_character');
    case 'audio_transcription':
      // A second of sound that is written down has one price, which some entries have twice.
      return one('second', 'input_cost_per_second', 'output_cost_per_second');
    case 'rerank':
      return one('search', 'input_cost_per_query');
    default:
      return [];
  }
}

/** An entry of a model whose images are counted in tokens, as one of a model that writes: all of its output is images. */
export function withImageTokens(entry: LitellmEntry): LitellmEntry {
  const { input_cost_per_image_token: image, output_cost_per_image_token: output } = entry;
  if (!IMAGES.has(entry['mode']) || output === undefined) return entry;
  return { output_cost_per_token: output, ...(image !== undefined && { input_cost_per_token: image }), ...entry };
}

function bounded(units: readonly UnitPrice[]): readonly UnitPrice[] {
  if (units.length > UNIT_PRICES_MAX) throw new RangeError(`has more than ${UNIT_PRICES_MAX} prices of images`);
  return units;
}

function placeOf({ litellm_provider: provider }: LitellmEntry, model: string): string {
  return JSON.stringify([provider, model]);
}

function priceOfClass(entry: LitellmEntry, pixels: bigint): PicoUsd | null {
  const { input_cost_per_image: input, output_cost_per_image: output, input_cost_per_pixel: perPixel } = entry;
  try {
    const stated = largest([input, output].flatMap((text) => (text === undefined ? [] : [picoPerUnit(text, 1)])));
    if (stated !== null) return stated;
    return perPixel === undefined ? null : picoUsd(perClass(perPixel, pixels));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}

/** Digits after which a price per pixel is read: that of an image is a hundred thousand times larger. */
const PIXEL_DIGITS = 18;

/**
 * The price of so many pixels, in pico-USD. It is a quotient that the table has rounded to a few digits, so it is rounded up to as many: $0.00000007629 for
 * 1,048,576 pixels is $0.08.
 */
function perClass(text: unknown, pixels: bigint): bigint {
  if (typeof text !== 'string') throw new RangeError('not a price: neither a number nor text');
  const match = /^(\d{1,20})(?:\.(\d{1,20}))?(?:[eE]([+-]?\d{1,2}))?$/.exec(text);
  if (match === null) throw new RangeError('not a price');
  const digits = `${match[1]}${match[2] ?? ''}`.replace(/^0+/, '').replace(/(?<!0)0+$/, '');
  if (digits === '') return 0n;
  const written = BigInt(`${match[1]}${match[2] ?? ''}`);
  const exponent = Number(match[3] ?? 0) - (match[2]?.length ?? 0) + PIXEL_DIGITS;
  if (exponent < 0 || exponent > PIXEL_DIGITS) throw new RangeError('not a price of a pixel');
  const product = written * 10n ** BigInt(exponent) * pixels;
  const unit = 10n ** BigInt(Math.max(0, product.toString().length - digits.length));
  const rounded = ((product + unit - 1n) / unit) * unit;
  const atto = 10n ** BigInt(PIXEL_DIGITS - 12);
  return (rounded + atto - 1n) / atto;
}

function largest(prices: readonly bigint[]): PicoUsd | null {
  const [first, ...others] = prices;
  return first === undefined ? null : picoUsd(others.reduce((most, each) => (each > most ? each : most), first));
}
