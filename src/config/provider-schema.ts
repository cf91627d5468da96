/**
 * A provider as the file describes it. Prices are US dollars per million tokens (per call or
 * search where the line says so) and arrive as text: the reader hands over the digits as they were
 * written, so no float stands between the operator's price and the integer.
 */
import * as z from 'zod';
import { MODALITIES, type Modality, type Prices } from '../catalog/model.ts';
import { parsePricePerMillion } from '../catalog/prices.ts';
import { EFFORTS } from '../chat/request.ts';
import { type PicoUsd, parsePrice, picoUsd } from '../core/money.ts';
import { Secret } from '../core/secret.ts';
import { type ProviderDialectName, serverDialectNames } from '../dialects/index.ts';
import { OUTPUT_CAP_FIELD, REASONING_BACK, THINKING } from '../dialects/interface/quirk-options.ts';
import { SAMPLING_FIELDS } from '../dialects/interface/write-target.ts';
import { parseOrigin } from '../providers/origin.ts';

/** `decimal` tells the reader to hand over a number's digits as written. */
const digits = z.string().meta({ decimal: true });

const perMillionTokens = digits.transform((text, context): PicoUsd => {
  try {
    return parsePricePerMillion(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as RangeError).message });
    return picoUsd(0n);
  }
});

const perUnit = digits.transform(readPrice);

/** In the file's words for a price that nothing is counted for. */
const neverCharged = digits.transform((_text, context): null => {
  context.addIssue({
    code: 'custom',
    message:
      'no image is counted, so this price would never be charged; leave it out: an image is charged by the tokens that the provider reports',
  });
  return null;
});

const priceLines = {
  input: perMillionTokens,
  output: perMillionTokens,
  cacheRead: perMillionTokens.nullable().default(null),
  cacheWrite: perMillionTokens.nullable().default(null),
  cacheWrite1h: perMillionTokens.nullable().default(null),
  inputAudio: perMillionTokens.nullable().default(null),
  outputAudio: perMillionTokens.nullable().default(null),
  reasoning: perMillionTokens.nullable().default(null),
  image: neverCharged.nullable().default(null),
  request: perUnit.nullable().default(null),
  webSearch: perUnit.nullable().default(null),
};

const prices = z
  .strictObject({
    ...priceLines,
    tiers: z
      .array(z.strictObject({ abovePromptTokens: z.int().min(1), ...priceLines }))
      .refine(
        (tiers) =>
          tiers.every(
            (tier, index) => index === 0 || tier.abovePromptTokens > (tiers[index - 1]?.abovePromptTokens ?? 0),
          ),
        'must ascend by abovePromptTokens',
      )
      .default([]),
  })
  // A fee that a tier does not name is the one below it: left out, it would not be charged.
  .transform(({ tiers, ...base }) => ({
    ...base,
    tiers: tiers.map((tier) => ({
      ...tier,
      request: tier.request ?? base.request,
      webSearch: tier.webSearch ?? base.webSearch,
    })),
  })) satisfies z.ZodType<Prices>;

/** May be written in any order, and may be empty. */
const sampling = z
  .array(z.enum(SAMPLING_FIELDS))
  .transform((fields) => SAMPLING_FIELDS.filter((field) => fields.includes(field)))
  .nullable()
  .default(null);

/** Text comes first, as everybody lists it. */
const modalities = z
  .array(z.enum(MODALITIES))
  .min(1)
  .transform((names): readonly Modality[] => MODALITIES.filter((name) => names.includes(name)))
  .nullable()
  .default(null);

const model = z.strictObject({
  id: z
    .string()
    .regex(/^[^\s/]+\/\S+$/, 'must have the form <vendor>/<name>')
    .nullable()
    .default(null),
  upstream: z.string().min(1),
  name: z.string().min(1).nullable().default(null),
  contextWindow: z.int().min(1).nullable().default(null),
  outputCap: z.int().min(1).nullable().default(null),
  prices: z
    .union([z.literal('free'), prices])
    .nullable()
    .default(null),
  /** What it reads and writes; absent, as known, else text. */
  inputModalities: modalities,
  outputModalities: modalities,
  /** In OpenRouter's vocabulary; absent where nobody knows: then `sampling` says what of that is sent. */
  parameters: z.array(z.string().min(1)).min(1).nullable().default(null),
  sampling,
  /** May be written in any order. */
  efforts: z
    .array(z.enum(EFFORTS))
    .min(1)
    .transform((efforts) => EFFORTS.filter((effort) => efforts.includes(effort)))
    .nullable()
    .default(null),
  thinking: z.enum(THINKING).nullable().default(null),
});

export const providerSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'must be lower-case letters, digits, dots, dashes or underscores'),
  /** One of the built-in kinds; absent, the name when a kind is called so, else `custom`. */
  kind: z.string().min(1).nullable().default(null),
  origin: z.string().transform(readOrigin).nullable().default(null),
  credential: z
    .string()
    .min(1)
    .transform((value) => new Secret(value))
    .nullable()
    .default(null)
    .meta({ secret: true }),
  dialects: z.array(z.enum(serverDialectNames)).min(1).nullable().default(null),
  chatPaths: z.strictObject(pathsByDialect()).nullable().default(null),
  price: z.literal('free').nullable().default(null),
  /** The name of the output cap that it obeys in `openai-chat`. */
  outputCapField: z.enum(OUTPUT_CAP_FIELD).nullable().default(null),
  /** Where earlier thoughts are given back to it, in `openai-chat`. */
  reasoningBack: z.enum(REASONING_BACK).nullable().default(null),
  /** What of sampling its models are told of which nobody knows what they take. */
  sampling,
  models: z.array(model).default([]),
});

type PathsByDialect = Record<ProviderDialectName, z.ZodOptional<z.ZodString>>;

function pathsByDialect(): PathsByDialect {
  const paths = serverDialectNames.map((name) => [name, z.string().startsWith('/').optional()]);
  return Object.fromEntries(paths) as PathsByDialect;
}

function readPrice(text: string, context: z.core.$RefinementCtx): PicoUsd {
  try {
    const price = parsePrice(text);
    if (price >= 0n) return price;
    context.addIssue({ code: 'custom', message: 'a price cannot be negative' });
  } catch {
    // parsePrice throws for one reason only; the message here names the option's own unit.
    context.addIssue({ code: 'custom', message: 'must be a plain decimal of US dollars, like 0.15' });
  }
  return picoUsd(0n);
}

/** May have a base path; the reader of origins says what is wrong with any other text. */
function readOrigin(text: string, context: z.core.$RefinementCtx): string {
  try {
    parseOrigin(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as TypeError).message });
  }
  return text;
}
