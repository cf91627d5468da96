/** A place where a model is sold, as one table describes it, in the words of the catalogue. */
import type { Efforts, Modality } from '../../src/catalog/model.ts';
import type { TableLines, TablePrices } from '../../src/catalog/price-tables/table-prices.ts';
import type { UnitPrice } from '../../src/core/units/units.ts';
import type { Quirks } from '../../src/dialects/anthropic-messages/quirks.ts';
import type { ProviderDialectName } from '../../src/dialects/index.ts';

/** What writers of requests need to know; null if the table does not say. */
export interface Abilities {
  readonly efforts: Efforts | null;
  readonly thinking: Quirks['thinking'];
  /** Whether temperature and similar fields are taken. */
  readonly sampling: boolean | null;
  readonly systemAnywhere: boolean | null;
  readonly prefill: boolean | null;
}

export const NOTHING_SAID: Abilities = {
  efforts: null,
  thinking: null,
  sampling: null,
  systemAnywhere: null,
  prefill: null,
};

/** `nothing`: nothing that the gateway can call. */
export type Purpose = 'chat' | 'embeddings' | 'nothing';

export interface Offer {
  /** One of this program's providers. */
  readonly provider: string;
  readonly upstreamModel: string;
  readonly displayName: string | null;
  /** Seconds since 1970, 0 when the table does not say. */
  readonly created: number;
  readonly knowledgeCutoff: string | null;
  readonly contextWindow: number | null;
  readonly outputCap: number | null;
  readonly inputModalities: readonly Modality[];
  readonly outputModalities: readonly Modality[];
  readonly supportedParameters: readonly string[];
  readonly abilities: Abilities;
  readonly prices: TablePrices | null;
  /** What it is charged for by the piece. Absent if it is charged by tokens alone. */
  readonly units?: readonly UnitPrice[];
  /** `<provider>/<upstream model>` that a reseller declares to be the same model. */
  readonly sameAs: string | null;
  /** Whether it answers conversations, or turns texts into vectors; null when the table does not say. */
  readonly serves: Purpose | null;
  /** The only formats in which the provider serves it; null for all formats of the provider. */
  readonly dialects: readonly ProviderDialectName[] | null;
  readonly withdrawn: boolean;
  /** When its vendor ends it, a date like 2026-11-21; null when the table does not say. */
  readonly retires: string | null;
}

export function agree(a: TableLines, b: TableLines): boolean {
  return a.input === b.input && a.output === b.output;
}
