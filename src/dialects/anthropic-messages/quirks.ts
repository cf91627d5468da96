/** Differences between models that are called in this format. */
import type { QuirkOptions } from '../interface/quirk-options.ts';
import type { WriteTarget } from '../interface/write-target.ts';
import type { CloudName } from './clouds.ts';

export interface Quirks {
  /**
   * How thinking is requested; `always`: as `adaptive`, but it cannot be switched off. Null when unknown: then as for the newest models.
   */
  readonly thinking: NonNullable<QuirkOptions['thinking']> | null;
  /** Whether instructions may be in the middle of a conversation. */
  readonly systemAnywhere: boolean;
  /** Whether the last turn may be the assistant's, for the model to continue. */
  readonly prefill: boolean;
  /** The cloud that serves the models itself, with its own way to take a request; absent at the API and at servers that copy it. */
  readonly cloud?: CloudName;
}

/** For an unknown model. */
export const usualQuirks: Quirks = { thinking: null, systemAnywhere: false, prefill: true };

/**
 * Models that always think refuse `{"type":"disabled"}` and a choice that forces a tool. Recognised by name, since none of the catalogue's
 * sources has this: https://platform.claude.com/docs/en/models/fable-5-1/migration-guide
 */
export function quirksOfModel(upstreamModel: string): Partial<Quirks> {
  return ALWAYS_THINKING.test(upstreamModel) ? { thinking: 'always' } : {};
}

const ALWAYS_THINKING = /\bclaude-(fable|mythos)-/;

/** `null` means not set. */
export function readQuirkOptions({ thinking = null }: QuirkOptions): Partial<Quirks> {
  return thinking === null ? {} : { thinking };
}

export type DialectTarget = WriteTarget<Quirks>;
