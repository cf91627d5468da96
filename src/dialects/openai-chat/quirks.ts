/** In what servers that speak this format differ. */
import type { QuirkOptions } from '../interface/quirk-options.ts';
import type { WriteTarget } from '../interface/write-target.ts';

/**
 * The fields that OpenRouter added to a request, and `metadata`, which not all take as it does:
 * https://openrouter.ai/docs/api-reference/parameters
 */
export type OpenRouterField =
  | ('usage' | 'reasoning' | 'include_reasoning' | 'transforms' | 'plugins')
  | ('provider' | 'models' | 'route' | 'metadata');

export type OutputCapField = 'max_completion_tokens' | 'max_tokens';

/** The names of the output cap that a provider obeys; the first is the one that the gateway writes. */
export type OutputCapFields = readonly [OutputCapField, ...OutputCapField[]];

export interface Quirks {
  /**
   * The fields that cap the output. A server that obeys one of them only refuses the other, or reads past it: a cap under a name
   * that is not obeyed is none. What is held goes by the cap, so a name that `outputCapDocumentation` does not promise does not stand here.
   */
  readonly outputCapFields: OutputCapFields;
  /** The page that names those. */
  readonly outputCapDocumentation: string;
  /** How the model is told how much to think: OpenAI's word, that with DeepSeek's switch, OpenRouter's object, or not at all. */
  readonly reasoningField: 'reasoning_effort' | 'thinking' | 'reasoning' | 'none';
  /** Where an assistant's earlier thoughts are given back; `none` where they are left out. */
  readonly reasoningBack: NonNullable<QuirkOptions['reasoningBack']>;
  /** The fields of OpenRouter's that a relayed request keeps, and `reasoning` where that is its `reasoningField`. */
  readonly openRouterFields: readonly OpenRouterField[];
  /** Whether `cache_control` may stand on content parts. */
  readonly cacheControl: boolean;
  /** The role of instructions; some servers know only `system`. */
  readonly systemRole: 'system' | 'developer';
}

/** What the servers that copy this format have in common, so what one of unknown make is sent. */
export const usualQuirks: Quirks = {
  // An operator says otherwise with `outputCapField`.
  outputCapFields: ['max_tokens'],
  outputCapDocumentation: 'docs/how-to/custom-provider.md',
  reasoningField: 'reasoning_effort',
  reasoningBack: 'none',
  openRouterFields: ['metadata'],
  cacheControl: false,
  systemRole: 'system',
};

/** `null` says nothing. */
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
