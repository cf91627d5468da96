/**
 * How two clouds take the Messages API for the Claude models that they serve themselves: the model, and at Bedrock whether the answer is
 * streamed, are in the path; the version is in the body.
 *
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html
 * https://cloud.google.com/vertex-ai/generative-ai/docs/partner-models/claude/use-claude
 */

export interface Cloud {
  /** `anthropic_version` in the body. */
  readonly version: string;
  /** Whether `stream` is said by the path alone. */
  readonly streamsByPath: boolean;
  /**
   * The betas that it knows; any other is refused together with the whole request. Those of Bedrock are in `anthropic_beta` of the body,
   * those of Vertex in the header of that name, but for some that it takes in the body.
   */
  readonly betas: ReadonlyMap<string, Beta>;
  /** The beta that does for all tools what `eager_input_streaming` does for one, which it refuses; null if there is none. */
  readonly eagerBeta: string | null;
}

export interface Beta {
  readonly name: string;
  readonly at: 'header' | 'body';
}

export type CloudName = 'bedrock' | 'vertex';

/** Known under the same name in both. */
const BOTH = [
  'compact-2026-01-12',
  'computer-use-2025-01-24',
  'computer-use-2025-11-24',
  'context-1m-2025-08-07',
  'context-management-2025-06-27',
  'dangerous-tool-use-2026-09-03',
  'mid-conversation-tool-changes-2026-07-01',
  'thinking-binding-controls-2026-08-01',
  'thinking-display-updates-2026-08-18',
  'tool-search-tool-2025-10-19',
];
const BEDROCK = [
  ...BOTH,
  'effort-2025-11-24',
  'fine-grained-tool-streaming-2025-05-14',
  'mid-conversation-output-config-2026-07-01',
];
const VERTEX = [
  ...BOTH,
  'compact-2026-09-04',
  'inline-tools-2026-09-15',
  'interleaved-thinking-2025-05-14',
  'per-turn-control-2026-07-01',
  'web-search-2025-03-05',
];
/** Vertex refuses it in the header. */
const IN_VERTEX_BODY: ReadonlySet<string> = new Set(['context-1m-2025-08-07']);
/** Its part that these clouds have is a beta of its own there. */
const ADVANCED_TOOLS = 'advanced-tool-use-2025-11-20';
const TOOL_SEARCH = 'tool-search-tool-2025-10-19';

/**
 * Neither cloud publishes a whole list. These are what LiteLLM found to be accepted, as of version 1.109.1:
 * https://github.com/BerriAI/litellm/blob/main/litellm/anthropic_beta_headers_config.json; the place of `context-1m` at Vertex:
 * https://github.com/BerriAI/litellm/pull/31607; eager streaming at Bedrock: https://github.com/BerriAI/litellm-docs/pull/1550
 */
export const clouds: Readonly<Record<CloudName, Cloud>> = {
  bedrock: {
    version: 'bedrock-2023-05-31',
    streamsByPath: true,
    betas: betasOf(BEDROCK, () => 'body'),
    eagerBeta: 'fine-grained-tool-streaming-2025-05-14',
  },
  vertex: {
    version: 'vertex-2023-10-16',
    streamsByPath: false,
    betas: betasOf(VERTEX, (name) => (IN_VERTEX_BODY.has(name) ? 'body' : 'header')),
    eagerBeta: null,
  },
};

function betasOf(names: readonly string[], placeOf: (name: string) => Beta['at']): ReadonlyMap<string, Beta> {
  const betas = new Map(names.map((name): [string, Beta] => [name, { name, at: placeOf(name) }]));
  return betas.set(ADVANCED_TOOLS, { name: TOOL_SEARCH, at: placeOf(TOOL_SEARCH) });
}
