/** Makes the catalogue of the price tables in a folder; `build-catalog.ts` says by which rules. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mergeOffers } from './merge-offers.ts';
import { readLitellm } from './read-litellm.ts';
import { readModelsDev } from './read-models-dev.ts';
import { singlePurposeModels } from './single-purpose.ts';
import { type Source, writeCatalog } from './write-catalog.ts';

/** Neither table carries its own date: whoever brings a new copy writes it here. */
const LITELLM: Source & { file: string } = {
  file: 'litellm.model_prices_and_context_window.json',
  name: 'LiteLLM',
  address: 'https://github.com/BerriAI/litellm/blob/main/model_prices_and_context_window.json',
  license: 'MIT',
  date: '2026-08-01',
};
const MODELS_DEV: Source & { file: string } = {
  file: 'models.dev.compact.json',
  name: 'models.dev',
  address: 'https://github.com/anomalyco/models.dev',
  license: 'MIT',
  date: '2026-07-01',
};
/** Models deprecated by this day are left out. */
const AS_OF = '2026-11-21';

export interface CatalogText {
  /** Of `models.json`. */
  readonly text: string;
  readonly ids: readonly string[];
  /** Where the tables have different prices, a line each. */
  readonly disagreements: readonly string[];
}

export function catalogText(folder: string): CatalogText {
  const litellmText = readFileSync(join(folder, LITELLM.file), 'utf8');
  const litellm = readLitellm(litellmText, AS_OF);
  const modelsDev = readModelsDev(readFileSync(join(folder, MODELS_DEV.file), 'utf8'));
  const { models: merged, disagreements } = mergeOffers(litellm, modelsDev);
  const known = new Set(merged.map(({ id }) => id));
  const others = singlePurposeModels(litellmText).filter(({ id }) => !known.has(id));
  const models = [...merged, ...others].sort((one, other) => (one.id < other.id ? -1 : 1));
  const sources = [LITELLM, MODELS_DEV].map(({ file: _file, ...source }) => source);
  return { text: writeCatalog(sources, models), ids: models.map(({ id }) => id), disagreements };
}
