/** A row of a price table: what a provider asks for a model, and when it ends it. */
import type { Prices } from '../model.ts';

export interface TableRow {
  /** A kind of provider, or the name of a configured one. */
  readonly provider: string;
  /** What that provider calls the model. */
  readonly upstreamModel: string;
  readonly prices: Prices;
  /** Wall time, ms: the start of the day in UTC; null if the table does not say. */
  readonly retiresAt: number | null;
  /** Where it is in the table, for errors. */
  readonly place: string;
}

export const TABLE_FORMATS = ['litellm', 'models.dev', 'openrouter', 'turnpike'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** What was read: rows, and one sentence for each row that cannot be used. */
export interface PriceTable {
  readonly format: TableFormat;
  readonly rows: readonly TableRow[];
  readonly faults: readonly string[];
}

/** A date like 2026-11-21 as the start of that day in UTC, ms; null for anything else. */
export function dayStart(text: unknown): number | null {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const ms = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(text) ? null : ms;
}
