/** The models that the golden requests are written for: two for each format, as different as possible. */
import type { Quirks as MessagesQuirks } from '../../src/dialects/anthropic-messages/quirks.ts';
import { quirksOfModel } from '../../src/dialects/bedrock-converse/quirks.ts';
import { type ProviderDialectName, providerDialects, type QuirksOf } from '../../src/dialects/index.ts';
import type { WriteTarget } from '../../src/dialects/interface/write-target.ts';
import { type Quirks as ChatQuirks, usualQuirks } from '../../src/dialects/openai-chat/quirks.ts';

/** For the formats whose models differ most. */
type AnyTarget = WriteTarget<ChatQuirks & MessagesQuirks>;

export interface NamedTarget {
  /** As words that can follow "for". */
  readonly name: string;
  readonly target: WriteTarget;
}

/** OpenRouter's quirks: it takes everything that the format can say. */
const OPEN_QUIRKS: ChatQuirks = {
  ...usualQuirks,
  outputCapFields: ['max_tokens'],
  reasoningField: 'reasoning',
  reasoningBack: 'reasoning_details',
  openRouterFields: [],
  cacheControl: true,
  customTools: true,
  systemRole: 'system',
};

/** OpenAI's own. */
const VENDOR_QUIRKS: ChatQuirks = {
  ...usualQuirks,
  outputCapFields: ['max_completion_tokens'],
  reasoningField: 'reasoning_effort',
  reasoningBack: 'none',
  openRouterFields: [],
  cacheControl: false,
  customTools: true,
  systemRole: 'developer',
};

/** An unknown model, so everything is sent; for the Messages API one with a thinking budget. */
export const openTarget: AnyTarget = {
  upstreamModel: 'pilot-1',
  outputCap: null,
  parameters: null,
  efforts: null,
  sampling: ['temperature'],
  quirks: { ...OPEN_QUIRKS, thinking: 'budget', systemAnywhere: false, prefill: true },
};

/** A newest model: no sampling, three efforts, adaptive thinking, no prefill. */
export const newestTarget: AnyTarget = {
  upstreamModel: 'pilot-1',
  outputCap: 8_192,
  parameters: new Set([
    'include_reasoning',
    'max_completion_tokens',
    'max_tokens',
    'parallel_tool_calls',
    'reasoning',
    'reasoning_effort',
    'response_format',
    'structured_outputs',
    'tool_choice',
    'tools',
  ]),
  efforts: ['low', 'medium', 'high'],
  sampling: ['temperature'],
  quirks: { ...VENDOR_QUIRKS, thinking: 'adaptive', systemAnywhere: true, prefill: false },
};

/** Where a format's two models differ from the ones above: quirks of its own, parameters besides theirs. */
interface Differences<Name extends ProviderDialectName> {
  readonly openQuirks?: Partial<QuirksOf<Name>>;
  readonly newestQuirks?: Partial<QuirksOf<Name>>;
  readonly newestTakes?: readonly string[];
}

const DIFFERENCES: { readonly [Name in ProviderDialectName]?: Differences<Name> } = {
  'openai-chat': { openQuirks: openTarget.quirks, newestQuirks: newestTarget.quirks },
  // The newest models of the Messages API take stop sequences, OpenAI's do not.
  'anthropic-messages': {
    openQuirks: openTarget.quirks,
    newestQuirks: newestTarget.quirks,
    newestTakes: ['stop'],
  },
  'bedrock-converse': {
    openQuirks: quirksOfModel('us.anthropic.claude-sonnet-4-5-20250929-v1:0'),
    newestQuirks: quirksOfModel('us.anthropic.claude-sonnet-5'),
  },
};

export function targetsOf(to: ProviderDialectName): readonly NamedTarget[] {
  const { openQuirks, newestQuirks, newestTakes = [] } = DIFFERENCES[to] ?? {};
  const usual = providerDialects[to].usualQuirks ?? {};
  const parameters = new Set([...(newestTarget.parameters ?? []), ...newestTakes]);
  return [
    { name: 'an open model', target: { ...openTarget, quirks: { ...usual, ...openQuirks } } },
    { name: 'a newest model', target: { ...newestTarget, parameters, quirks: { ...usual, ...newestQuirks } } },
  ];
}
