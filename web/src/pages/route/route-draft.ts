/** The form about a request whose route is asked for, and the body that asks. */
import type { Body } from '../../api/client.ts';
import { plannedDialects } from '../../api/dialects.ts';

export type PlanBody = NonNullable<Body<'planRoute'>>;
export type Format = NonNullable<PlanBody['format']>;
export type SortKey = '' | 'price' | 'throughput' | 'latency';
export type Quantization = NonNullable<NonNullable<PlanBody['provider']>['quantizations']>[number];

export interface RouteDraft {
  readonly format: Format;
  readonly models: readonly string[];
  readonly order: readonly string[];
  readonly only: readonly string[];
  readonly ignore: readonly string[];
  readonly sort: SortKey;
  readonly allowsFallbacks: boolean;
  /** USD per million tokens, as decimal text; empty for none. */
  readonly inputPriceMax: string;
  readonly outputPriceMax: string;
  /** Only providers that are known not to keep prompts for their own use, such as training. */
  readonly deniesDataCollection: boolean;
  /** Only providers that are known to retain nothing of a request. */
  readonly needsZeroRetention: boolean;
  /** Empty for all. */
  readonly quantizations: readonly string[];
  readonly conversation: string;
  readonly promptCharacters: number | null;
  readonly outputCap: number | null;
}

export const FORMATS = plannedDialects.map(({ name, title }) => ({ value: name, label: title }));

export const QUANTIZATIONS = [
  'int4',
  'int8',
  'fp4',
  'mxfp4',
  'nvfp4',
  'fp6',
  'fp8',
  'mxfp8',
  'fp16',
  'bf16',
  'fp32',
  'unknown',
] as const satisfies readonly Quantization[];

export const emptyDraft: RouteDraft = {
  format: plannedDialects[0].name,
  models: [],
  order: [],
  only: [],
  ignore: [],
  sort: '',
  allowsFallbacks: true,
  inputPriceMax: '',
  outputPriceMax: '',
  deniesDataCollection: false,
  needsZeroRetention: false,
  quantizations: [],
  conversation: '',
  promptCharacters: 1000,
  outputCap: 1000,
};

/** A request states only what the form has: an empty list of `order` or `only` would be another request. */
export function planBody(model: string, draft: RouteDraft): PlanBody {
  const provider = preferencesOf(draft);
  return {
    format: draft.format,
    model,
    models: draft.models,
    provider: Object.keys(provider).length === 0 ? null : provider,
    conversation: draft.conversation.trim() === '' ? null : draft.conversation.trim(),
    prompt_characters: draft.promptCharacters ?? 0,
    output_cap: draft.outputCap,
  };
}

/** What of the preferences is set, for a closed part of the form: `sorted by price, 2 ignored`; `none`. */
export function preferencesText({ order, only, ignore, sort, allowsFallbacks, ...rest }: RouteDraft): string {
  const isPriced = rest.inputPriceMax !== '' || rest.outputPriceMax !== '';
  const parts = [
    order.length > 0 && `${order.join(', ')} first`,
    only.length > 0 && `only ${only.join(', ')}`,
    ignore.length > 0 && `not ${ignore.join(', ')}`,
    sort !== '' && `sorted by ${sort}`,
    !allowsFallbacks && 'no fallbacks',
    isPriced && 'maximum price',
    rest.deniesDataCollection && 'no data collection',
    rest.needsZeroRetention && 'zero data retention',
    rest.quantizations.length > 0 && `only ${rest.quantizations.join(', ')}`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'none' : parts.join('; ');
}

function preferencesOf({ order, only, ignore, sort, allowsFallbacks, ...rest }: RouteDraft) {
  const prompt = priceOf(rest.inputPriceMax);
  const completion = priceOf(rest.outputPriceMax);
  return {
    ...(order.length > 0 && { order }),
    ...(only.length > 0 && { only }),
    ...(ignore.length > 0 && { ignore }),
    ...(sort !== '' && { sort }),
    ...(!allowsFallbacks && { allow_fallbacks: false }),
    ...((prompt !== undefined || completion !== undefined) && { max_price: { prompt, completion } }),
    ...(rest.deniesDataCollection && { data_collection: 'deny' as const }),
    ...(rest.needsZeroRetention && { zdr: true }),
    ...(rest.quantizations.length > 0 && {
      quantizations: QUANTIZATIONS.filter((each) => rest.quantizations.includes(each)),
    }),
  };
}

/** What is no number stays as it was typed, for the server to refuse: JSON would make null of NaN, and the maximum would be lost. */
function priceOf(text: string): number | undefined {
  if (text.trim() === '') return undefined;
  const price = Number(text);
  return Number.isFinite(price) ? price : (text as unknown as number);
}
