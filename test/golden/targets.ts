/** The models that the golden requests are written for: two for each format, as unlike as can be. */
import type { DialectName } from '../../src/dialects/index.ts';
import type { Quirks } from '../../src/dialects/interface/quirks.ts';
import type { WriteTarget } from '../../src/dialects/interface/write-target.ts';

export interface NamedTarget {
  /** As words that can follow "for". */
  readonly name: string;
  readonly target: WriteTarget;
}

/** OpenRouter's habits: whatever the format can say can be said to it. */
const OPEN_HABITS: Quirks = {
  outputCapFields: ['max_tokens'],
  reasoningField: 'reasoning',
  reasoningBack: 'reasoning_details',
  openRouterFields: [],
  cacheControl: true,
  systemRole: 'system',
  sampling: ['temperature'],
};

/** OpenAI's own. */
const VENDOR_HABITS: Quirks = {
  outputCapFields: ['max_completion_tokens'],
  reasoningField: 'reasoning_effort',
  reasoningBack: 'none',
  openRouterFields: [],
  cacheControl: false,
  systemRole: 'developer',
  sampling: ['temperature'],
};

/** A model of which nobody knows anything, so all is sent; of the Messages API one that thinks by a budget. */
export const openTarget: WriteTarget = {
  upstreamModel: 'pilot-1',
  outputCap: null,
  parameters: null,
  efforts: null,
  thinking: 'budget',
  systemAnywhere: false,
  prefill: true,
  habits: OPEN_HABITS,
};

/** A newest model: no sampling, three efforts, thinking by its own judgement, no turn to be continued. */
export const newestTarget: WriteTarget = {
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
  thinking: 'adaptive',
  systemAnywhere: true,
  prefill: false,
  habits: VENDOR_HABITS,
};

/** Both formats have the same two; the newest model of the Messages API takes stop sequences, OpenAI's does not. */
export function targetsOf(to: DialectName): readonly NamedTarget[] {
  const newest =
    to === 'anthropic-messages'
      ? { ...newestTarget, parameters: new Set([...(newestTarget.parameters ?? []), 'stop']) }
      : newestTarget;
  return [
    { name: 'an open model', target: openTarget },
    { name: 'a newest model', target: newest },
  ];
}
