/** The table of models.dev: USD per million tokens, models under their provider. */
import type { Modality } from '../../src/catalog/model.ts';
import { parseExact } from '../../src/catalog/price-tables/exact-json.ts';
import {
  type ModelsDevCost,
  type ModelsDevTable,
  modelsDevModels,
  modelsDevPrices,
} from '../../src/catalog/price-tables/models-dev-prices.ts';
import { isForVectors, isLater } from './join-later.ts';
import { NOTHING_SAID, type Offer } from './offer.ts';
import { withoutOutdated } from './outdated-prices.ts';

const MODALITIES: Readonly<Record<string, Modality>> = {
  text: 'text',
  image: 'image',
  audio: 'audio',
  video: 'video',
  pdf: 'file',
};

interface Entry {
  readonly name: string;
  readonly release_date?: string;
  readonly knowledge?: string;
  readonly base_model?: string;
  readonly status?: string;
  readonly reasoning?: boolean;
  readonly tool_call?: boolean;
  readonly structured_output?: boolean;
  readonly temperature?: boolean;
  readonly limit?: { readonly context?: string; readonly output?: string };
  readonly modalities?: { readonly input?: readonly string[]; readonly output?: readonly string[] };
  readonly cost?: ModelsDevCost;
}

export function readModelsDev(text: string): Offer[] {
  const table = parseExact(text) as ModelsDevTable<Entry>;
  return modelsDevModels(table).map(({ provider, upstreamModel, entry }) => readEntry(provider, upstreamModel, entry));
}

function readEntry(provider: string, upstreamModel: string, entry: Entry): Offer {
  const isVectors = isLater(provider) && isForVectors(upstreamModel);
  return {
    provider,
    upstreamModel,
    displayName: entry.name.replace(/ \(latest\)$/, ''),
    created: entry.release_date === undefined ? 0 : readDate(entry.release_date),
    knowledgeCutoff: entry.knowledge ?? null,
    contextWindow: readLimit(entry.limit?.context),
    outputCap: isVectors ? null : readLimit(entry.limit?.output),
    inputModalities: isVectors ? ['text'] : readModalities(entry.modalities?.input),
    outputModalities: isVectors ? ['embeddings'] : readModalities(entry.modalities?.output),
    supportedParameters: isVectors ? [] : readParameters(entry),
    abilities: NOTHING_SAID,
    prices: modelsDevPrices(provider, upstreamModel, withoutOutdated(provider, upstreamModel, entry.cost)),
    sameAs: entry.base_model ?? null,
    serves: isVectors ? 'embeddings' : null,
    dialects: null,
    withdrawn: entry.status === 'deprecated',
    retires: null,
  };
}

function readModalities(names: readonly string[] = ['text']): Modality[] {
  return Object.entries(MODALITIES).flatMap(([name, modality]) => (names.includes(name) ? [modality] : []));
}

function readParameters(entry: Entry): string[] {
  const parameters = ['max_tokens'];
  if (entry.temperature === true) parameters.push('temperature', 'top_p');
  if (entry.tool_call === true) parameters.push('tools', 'tool_choice');
  if (entry.structured_output === true) parameters.push('response_format', 'structured_outputs');
  if (entry.reasoning === true) parameters.push('reasoning', 'include_reasoning');
  return parameters;
}

/** A day, a month or a year, at its beginning in UTC. */
function readDate(text: string): number {
  const seconds = Date.parse(text) / 1000;
  return Number.isSafeInteger(seconds) ? seconds : 0;
}

function readLimit(text: string | undefined): number | null {
  const number = Number(text);
  return Number.isSafeInteger(number) && number > 0 ? number : null;
}
