/** Differences between servers that speak this format. */
import type { QuirkOptions } from '../interface/quirk-options.ts';
import type { WriteTarget } from '../interface/write-target.ts';

/**
 * The fields that OpenRouter added to a request, and `metadata`, which not all accept as it does:
 * https://openrouter.ai/docs/api-reference/parameters
 */
export type OpenRouterField =
  | ('usage' | 'reasoning' | 'include_reasoning' | 'transforms' | 'plugins')
  | ('provider' | 'models' | 'route' | 'metadata');

export type OutputCapField = 'max_completion_tokens' | 'max_tokens';

/** The names of the output cap that a provider respects; the gateway writes the first one. */
export type OutputCapFields = readonly [OutputCapField, ...OutputCapField[]];

export interface Quirks {
  /**
   * The fields that cap the output. A server that respects only one of them refuses or ignores the other: a cap under the wrong name has no
   * effect. The hold depends on the cap, so only names documented in `outputCapDocumentation` are listed here.
   */
  readonly outputCapFields: OutputCapFields;
  /** The page that documents those. */
  readonly outputCapDocumentation: string;
  /** How reasoning is requested: OpenAI's field, the same with DeepSeek's switch, that switch alone, OpenRouter's object, or not at all. */
  readonly reasoningField: 'reasoning_effort' | 'thinking' | 'thinking_type' | 'reasoning' | 'none';
  /** Where an assistant's earlier thoughts are sent back; with `none` they are left out. */
  readonly reasoningBack: NonNullable<QuirkOptions['reasoningBack']>;
  /** OpenRouter's fields that a relayed request keeps, and `reasoning` if that is its `reasoningField`. */
  readonly openRouterFields: readonly OpenRouterField[];
  /** Whether an assistant's message may have OpenRouter's `reasoning_details`: elsewhere a relayed request loses them. */
  readonly reasoningDetails: boolean;
  /** Whether content parts may have `cache_control`. */
  readonly cacheControl: boolean;
  /** Whether tools may take free text (`custom`); elsewhere they become functions with one string. */
  readonly customTools: boolean;
  /** The role of instructions; some servers know only `system`. */
  readonly systemRole: 'system' | 'developer';
  /** The fewest seconds that the provider charges for a recording; at most `LEAST_SECONDS_MAX`, for which each is held. */
  readonly leastSeconds: number;
}

/** Of all providers. */
export const LEAST_SECONDS_MAX = 10;

/** What the servers that copy this format have in common, for unknown servers. */
export const usualQuirks: Quirks = {
  // Operators can change it with `outputCapField`.
  outputCapFields: ['max_tokens'],
  outputCapDocumentation: 'docs/how-to/custom-provider.md',
  reasoningField: 'reasoning_effort',
  reasoningBack: 'none',
  openRouterFields: ['metadata'],
  reasoningDetails: false,
  cacheControl: false,
  customTools: false,
  systemRole: 'system',
  leastSeconds: 0,
};

/** `null` means not set. */
export function readQuirkOptions({ outputCapField = null, reasoningBack = null }: QuirkOptions): Partial<Quirks> {
  return {
    ...(outputCapField !== null && { outputCapFields: CAP_FIELDS[outputCapField] }),
    ...(reasoningBack !== null && { reasoningBack }),
  };
}

const CAP_FIELDS: Readonly<Record<NonNullable<QuirkOptions['outputCapField']>, OutputCapFields>> = {
  max_tokens: ['max_tokens'],
  max_completion_tokens: ['max_completion_tokens'],
  either: ['max_completion_tokens', 'max_tokens'],
};

export type DialectTarget = WriteTarget<Quirks>;
