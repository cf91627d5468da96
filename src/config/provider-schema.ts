/**
 * A provider in the file. Prices are US dollars per million tokens (or per call, search or unit, for those lines) and arrive as
 * text: the reader passes on the digits as written, so the price never becomes a float.
 */
import * as z from 'zod';
import { MODALITIES, type Modality, type Prices } from '../catalog/model.ts';
import { parsePricePerMillion } from '../catalog/prices.ts';
import { EFFORTS } from '../chat/request.ts';
import { type PicoUsd, parsePrice, picoUsd } from '../core/money.ts';
import { QUANTIZATIONS } from '../core/routing/quantization.ts';
import { Secret } from '../core/secret.ts';
import { isUnitName, UNIT_KINDS, UNIT_PRICES_MAX, unitPrices } from '../core/units/units.ts';
import { type ProviderDialectName, providerDialectNames, serverDialectNames } from '../dialects/index.ts';
import { OUTPUT_CAP_FIELD, REASONING_BACK, THINKING } from '../dialects/interface/quirk-options.ts';
import { SAMPLING_FIELDS } from '../dialects/interface/write-target.ts';
import { parseOrigin } from '../providers/origin.ts';
import { CREDENTIAL_SOURCES, CREDENTIALS_MAX } from '../providers/provider-options.ts';

/** `decimal` makes the reader pass on a number's digits as written. */
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

/** A price for something that is never counted. */
const neverCharged = digits.transform((_text, context): null => {
  context.addIssue({
    code: 'custom',
    message:
      'images are not counted, so this price would never be charged; leave it out: images are charged by the tokens that the provider reports',
  });
  return null;
});

const NO_PRICE = picoUsd(0n);

const priceLines = {
  input: perMillionTokens,
  output: perMillionTokens,
  cacheRead: perMillionTokens.nullable().default(null),
  cacheWrite: perMillionTokens.nullable().default(null),
  cacheWrite1h: perMillionTokens.nullable().default(null),
  inputAudio: perMillionTokens.nullable().default(null),
  outputAudio: perMillionTokens.nullable().default(null),
  cacheReadAudio: perMillionTokens.nullable().default(null),
  inputImage: perMillionTokens.nullable().default(null),
  outputImage: perMillionTokens.nullable().default(null),
  reasoning: perMillionTokens.nullable().default(null),
  image: neverCharged.nullable().default(null),
  request: perUnit.nullable().default(null),
  webSearch: perUnit.nullable().default(null),
  fileSearch: perUnit.nullable().default(null),
  codeInterpreter: perUnit.nullable().default(null),
};

/** US dollars for one: `{ "image/1024x1024/high": 0.19, character: 0.000015 }`. */
const units = z
  .record(z.string(), perUnit)
  .superRefine((prices, context) => {
    for (const name of Object.keys(prices)) {
      if (isUnitName(name)) continue;
      const message = `must be one of ${UNIT_KINDS.join(', ')}, with or without a class such as image/1024x1024/high`;
      context.addIssue({ code: 'custom', path: [name], message });
    }
  })
  .refine((prices) => Object.keys(prices).length <= UNIT_PRICES_MAX, `must have at most ${UNIT_PRICES_MAX} units`)
  .transform((prices) => unitPrices(Object.entries(prices)))
  .nullable()
  .default(null);

const prices = z
  .strictObject({
    ...priceLines,
    input: perMillionTokens.optional(),
    output: perMillionTokens.optional(),
    units,
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
  .transform(({ input, output, units, ...lines }, context) => {
    // A model that is charged by the piece need not have prices of tokens.
    for (const [name, price] of Object.entries({ input, output }))
      if (price === undefined && units === null)
        context.addIssue({ code: 'custom', path: [name], message: 'is required', input: undefined });
    return { ...lines, input: input ?? NO_PRICE, output: output ?? NO_PRICE, units: units ?? [] };
  })
  // A fee that a tier does not set is the base fee; otherwise it would not be charged.
  .transform(({ tiers, ...base }) => ({
    ...base,
    tiers: tiers.map((tier) => ({
      ...tier,
      request: tier.request ?? base.request,
      webSearch: tier.webSearch ?? base.webSearch,
      fileSearch: tier.fileSearch ?? base.fileSearch,
      codeInterpreter: tier.codeInterpreter ?? base.codeInterpreter,
    })),
  })) satisfies z.ZodType<Prices>;

/** In any order; may be empty. */
const sampling = z
  .array(z.enum(SAMPLING_FIELDS))
  .transform((fields) => SAMPLING_FIELDS.filter((field) => fields.includes(field)))
  .nullable()
  .default(null);

/** Text comes first, as usual in lists. */
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
  /** What it reads and writes. Absent: as known, otherwise text. */
  inputModalities: modalities,
  outputModalities: modalities,
  /** In OpenRouter's vocabulary. Absent: unknown; `sampling` then says which sampling fields are sent. */
  parameters: z.array(z.string().min(1)).min(1).nullable().default(null),
  sampling,
  /** The only formats in which it is served. Absent: as known, otherwise as its provider says. */
  dialects: z.array(z.enum(providerDialectNames)).min(1).nullable().default(null),
  /** How exactly it is kept there. Absent: as its provider says. */
  quantization: z.enum(QUANTIZATIONS).nullable().default(null),
  /** In any order. */
  efforts: z
    .array(z.enum(EFFORTS))
    .min(1)
    .transform((efforts) => EFFORTS.filter((effort) => efforts.includes(effort)))
    .nullable()
    .default(null),
  thinking: z.enum(THINKING).nullable().default(null),
});

const option = z.string().min(1).max(100).nullable().default(null);

export const providerSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, 'must be lower-case letters, digits, dots, dashes or underscores'),
  /** One of the built-in kinds. Absent: the kind of the same name, otherwise `custom`. */
  kind: z.string().min(1).nullable().default(null),
  origin: z.string().transform(readOrigin).nullable().default(null),
  credential: z
    .string()
    .min(1)
    .transform((value) => new Secret(value))
    .nullable()
    .default(null)
    .meta({ secret: true }),
  /** Further credentials, which take turns with `credential`. */
  credentials: z
    .array(
      z
        .string()
        .min(1)
        .transform((value) => new Secret(value))
        .meta({ secret: true }),
    )
    .min(1)
    .max(CREDENTIALS_MAX - 1)
    .nullable()
    .default(null),
  /** Whether it is only called with own credentials of accounts and projects: then it has none itself. */
  ownCredentialsOnly: z.boolean().default(false),
  /** Whether it collects what it is sent: keeps it for longer than a call needs, and may train on it. Absent: not known. */
  dataCollection: z.enum(['allow', 'deny']).nullable().default(null),
  /** Whether it keeps nothing of what it is sent. Absent: not known. */
  zeroDataRetention: z.boolean().nullable().default(null),
  /** How exactly it keeps its models, in OpenRouter's words. Absent: not known. */
  quantization: z.enum(QUANTIZATIONS).nullable().default(null),
  /** Options of single kinds; the kind says which it takes. Of AWS: */
  region: option,
  /** Of Google Cloud: */
  project: option,
  location: option,
  /** Of Azure: */
  apiVersion: option,
  accountId: option,
  /** Where keys are fetched from, instead of `credential`. */
  credentialFrom: z.enum(CREDENTIAL_SOURCES).nullable().default(null),
  dialects: z.array(z.enum(providerDialectNames)).min(1).nullable().default(null),
  chatPaths: z.strictObject(pathsByDialect()).nullable().default(null),
  price: z.literal('free').nullable().default(null),
  /** The name of the output cap that it obeys in `openai-chat`. */
  outputCapField: z.enum(OUTPUT_CAP_FIELD).nullable().default(null),
  /** How earlier thoughts are sent back to it, in `openai-chat`. */
  reasoningBack: z.enum(REASONING_BACK).nullable().default(null),
  /** Whether it summarises thoughts, in `openai-responses`: OpenAI refuses that to organisations that are not verified. */
  reasoningSummary: z.boolean().nullable().default(null),
  /** The sampling fields sent to its models whose parameters are unknown. */
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

/** May have a base path; `parseOrigin` explains what is wrong with other text. */
function readOrigin(text: string, context: z.core.$RefinementCtx): string {
  try {
    parseOrigin(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as TypeError).message });
  }
  return text;
}
