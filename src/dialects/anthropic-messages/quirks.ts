/** In what models that are called in this format differ. */
import type { QuirkOptions } from '../interface/quirk-options.ts';
import type { WriteTarget } from '../interface/write-target.ts';

export interface Quirks {
  /** How a model is asked to think; `always`: as `adaptive`, but it cannot be told not to. Null when nobody knows: then as the newest are. */
  readonly thinking: NonNullable<QuirkOptions['thinking']> | null;
  /** Whether instructions may stand in the middle of a conversation. */
  readonly systemAnywhere: boolean;
  /** Whether the last turn may be the assistant's, to be continued. */
  readonly prefill: boolean;
}

/** Of a model that nobody knows. */
export const usualQuirks: Quirks = { thinking: null, systemAnywhere: false, prefill: true };

/**
 * Models that always think refuse `{"type":"disabled"}` and a choice that forces a tool. By name, since none of the tables that the
 * catalogue is made from says it: https://platform.claude.com/docs/en/models/fable-5-1/migration-guide
 */
export function quirksOfModel(upstreamModel: string): Partial<Quirks> {
  return ALWAYS_THINKING.test(upstreamModel) ? { thinking: 'always' } : {};
}

const ALWAYS_THINKING = /\bclaude-(fable|mythos)-/;

/** `null` says nothing. */
export function readQuirkOptions({ thinking = null }: QuirkOptions): Partial<Quirks> {
  return thinking === null ? {} : { thinking };
}

export type DialectTarget = WriteTarget<Quirks>;
