/** The models that the golden requests are written for: two or three for each format, as different as possible. */
import { ANTHROPIC_REASONING } from '../../src/chat/request.ts';
import type { Quirks as MessagesQuirks } from '../../src/dialects/anthropic-messages/quirks.ts';
import { type ProviderDialectName, providerDialects, type QuirksOf } from '../../src/dialects/index.ts';
import type { WriteTarget } from '../../src/dialects/interface/write-target.ts';
import { type Quirks as ChatQuirks, usualQuirks } from '../../src/dialects/openai-chat/quirks.ts';

/** For the formats whose models differ most. */
type AnyTarget = WriteTarget<ChatQuirks & MessagesQuirks>;

export interface NamedTarget {
  /** As words that can follow "for". */
  readonly name: string;
  readonly target: WriteTarget;
  /** The vendor whose thoughts the model always takes back unchanged; null if there is none. */
  readonly takesBack: string | null;
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

/** Where a format's models differ from the ones above. */
interface Differences<Name extends ProviderDialectName> {
  /** A model's name from which the dialect itself knows what it takes; otherwise `quirks`. */
  readonly name?: string;
  readonly quirks?: Partial<QuirksOf<Name>>;
  /** Parameters besides those of the newest model. */
  readonly takes?: readonly string[];
}

interface Models<Name extends ProviderDialectName> {
  readonly takesBack?: string;
  readonly open?: Differences<Name>;
  readonly newest?: Differences<Name>;
  /** Where a format serves models of several vendors. */
  readonly other?: Differences<Name> & { readonly name: string };
}

const MODELS: { readonly [Name in ProviderDialectName]?: Models<Name> } = {
  'openai-chat': { open: { quirks: openTarget.quirks }, newest: { quirks: newestTarget.quirks } },
  // The newest models of the Messages API take stop sequences, OpenAI's do not.
  'anthropic-messages': {
    takesBack: ANTHROPIC_REASONING,
    open: { quirks: openTarget.quirks },
    newest: { quirks: newestTarget.quirks, takes: ['stop'] },
  },
  'openai-responses': {
    takesBack: 'openai-responses-v1',
    open: { quirks: { rawThoughts: true, customTools: true } },
    newest: { quirks: { rawThoughts: false, customTools: true } },
    other: { name: 'pilot-1' },
  },
  gemini: {
    takesBack: 'google-gemini-v1',
    open: { name: 'gemini-2.5-pro' },
    newest: { name: 'gemini-3-pro', takes: ['stop'] },
  },
  'bedrock-converse': {
    takesBack: ANTHROPIC_REASONING,
    open: { name: 'anthropic.claude-sonnet-4-5-20250929-v1:0' },
    newest: { name: 'anthropic.claude-opus-5', takes: ['stop'] },
    other: { name: 'amazon.nova-pro-v1:0' },
  },
};

export function targetsOf(to: ProviderDialectName): readonly NamedTarget[] {
  const { open, newest, other, takesBack = null } = (MODELS[to] ?? {}) as Models<ProviderDialectName>;
  const parameters = new Set([...(newestTarget.parameters ?? []), ...(newest?.takes ?? [])]);
  return [
    { name: 'an open model', target: targetOf(to, openTarget, open), takesBack },
    { name: 'a newest model', target: targetOf(to, { ...newestTarget, parameters }, newest), takesBack },
    ...(other === undefined
      ? []
      : [{ name: "another vendor's model", target: targetOf(to, openTarget, other), takesBack: null }]),
  ];
}

function targetOf<Name extends ProviderDialectName>(
  to: Name,
  base: WriteTarget,
  { name = base.upstreamModel, quirks }: Differences<Name> = {},
): WriteTarget {
  const { usualQuirks = {}, quirksOfModel } = providerDialects[to];
  return { ...base, upstreamModel: name, quirks: { ...usualQuirks, ...quirksOfModel?.(name), ...quirks } };
}
