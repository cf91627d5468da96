/**
 * What the gateway must know of `generationConfig`: how much, how often and in what form the model answers.
 *
 * https://ai.google.dev/api/generate-content#generationconfig
 */
import type { JsonDocument, JsonField } from '../../../wire/json-document.ts';
import { readValue } from '../../../wire/json-read.ts';
import { scanInside } from '../../../wire/json-scan.ts';
import { invalid, unsupported } from '../../kit/errors/request-errors.ts';
import { bothSpellings } from '../field-names.ts';
import { type PeekedSetting, present } from './peeked-fields.ts';
import { refuseUnpricedFormats } from './response-formats.ts';

export interface GenerationSettings {
  /** Thoughts count towards it: https://ai.google.dev/gemini-api/docs/thinking#pricing */
  readonly outputCap: number | null;
  readonly choices: number;
  readonly hasFormat: boolean;
}

/** Throws `GatewayError` 400 for an invalid value, for another model, and for an answer whose price is unknown. */
export function readGenerationConfig(document: JsonDocument): GenerationSettings {
  const field = present(document, 'generationConfig');
  if (field === null) return NO_SETTINGS;
  if (field.type !== 'object') throw invalid('generationConfig', '"generationConfig" must be an object.');
  // The formats in it are walked in one go, unlike the body around it, which is scanned as it arrives.
  if (field.valueEnd - field.valueStart > CONFIG_BYTES_MAX) {
    throw invalid('generationConfig', `"generationConfig" must not be longer than ${CONFIG_BYTES_MAX} bytes.`);
  }
  const settings = scanInside(document, field);
  for (const name of OTHER_MODEL) {
    const chosen = settings.fields.get(name);
    if (chosen !== undefined && chosen.type !== 'null') throw chosenModel(name);
  }
  refuseUnpricedModalities(settings);
  refuseUnpricedFormats(settings);
  return {
    outputCap: readWhole(settings, 'maxOutputTokens', OUTPUT_CAP_MAX),
    choices: readWhole(settings, 'candidateCount', CHOICES_MAX) ?? 1,
    hasFormat: FORMATS.some((name) => present(settings, name, PATH) !== null),
  };
}

/** Vertex AI: https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/GenerationConfig */
const OTHER_MODEL = bothSpellings(['routingConfig', 'modelSelectionConfig', 'modelConfig']);
const FORMATS = ['responseSchema', 'responseJsonSchema', 'responseFormat', 'responseMimeType'] as const;

const PATH = 'generationConfig';
const NO_SETTINGS: GenerationSettings = { outputCap: null, choices: 1, hasFormat: false };
/** No model writes this much; a larger number is a mistake, and would make the hold absurd. */
const OUTPUT_CAP_MAX = 2 ** 31 - 1;
/** Its schema is the only part that may be long. */
const CONFIG_BYTES_MAX = 4 * 1024 * 1024;
/** Google's maximum. */
const CHOICES_MAX = 8;
/** No accepted number, and no list of known modalities, is longer. */
const VALUE_BYTES_MAX = 128;

/** What can be held for: no documented cap limits how many images a model draws, and their tokens cost many times those of text. */
const PRICED: ReadonlySet<unknown> = new Set(['TEXT', 'AUDIO', 'MODALITY_UNSPECIFIED']);

function refuseUnpricedModalities(settings: JsonDocument): void {
  const field = present(settings, 'responseModalities', PATH);
  if (field === null) return;
  const value = isShort(field) ? readValue(settings, field) : null;
  const modalities: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (modalities.every((modality) => PRICED.has(typeof modality === 'string' ? modality.toUpperCase() : modality)))
    return;
  throw unsupported(
    `${PATH}.responseModalities`,
    'This gateway asks models for TEXT and AUDIO only: the most that images or videos can cost is not known before they are made. Leave the other modalities out.',
  );
}

function chosenModel(name: string): Error {
  return unsupported(
    `${PATH}.${name}`,
    `"${PATH}.${name}" is not accepted by this gateway: it lets another model answer, at a different price than the requested model.`,
  );
}

/** A whole number from 1; null if it is absent. Google also takes a number in quotes, in which no client of its own sends it. */
function readWhole(settings: JsonDocument, name: PeekedSetting, max: number): number | null {
  const field = present(settings, name, PATH);
  if (field === null) return null;
  const value = field.type === 'number' && isShort(field) ? readValue(settings, field) : null;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= max) return value;
  throw invalid(`${PATH}.${name}`, `"${PATH}.${name}" must be a whole number from 1 to ${max}.`);
}

function isShort({ valueStart, valueEnd }: JsonField): boolean {
  return valueEnd - valueStart <= VALUE_BYTES_MAX;
}
