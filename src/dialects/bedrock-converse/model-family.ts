/** Whose model it is: Bedrock has one format for all, but each takes a part of it. */

export type ModelFamily = 'claude' | 'nova' | 'mistral' | 'gpt-oss' | 'titan' | 'other' | 'unknown';

/**
 * By the model's name, also behind a region (`us.`, `global.`) and inside an ARN. An ARN of a profile or of provisioned throughput that
 * the operator made has no name in it, and is `unknown`.
 *
 * https://docs.aws.amazon.com/bedrock/latest/userguide/models-supported.html
 */
export function familyOf(upstreamModel: string): ModelFamily {
  const vendor = VENDOR.exec(upstreamModel)?.[1];
  return vendor === undefined ? 'unknown' : (FAMILIES.get(vendor) ?? 'other');
}

const VENDOR =
  /(?:^|[./:])(anthropic\.claude|amazon\.nova|amazon\.titan|mistral|openai\.gpt-oss|meta|cohere|ai21|deepseek|qwen|writer|minimax|moonshot|moonshotai|google|nvidia|zai|twelvelabs)(?=[.-])/;

const FAMILIES: ReadonlyMap<string, ModelFamily> = new Map([
  ['anthropic.claude', 'claude'],
  ['amazon.nova', 'nova'],
  ['amazon.titan', 'titan'],
  ['mistral', 'mistral'],
  ['openai.gpt-oss', 'gpt-oss'],
]);

/** Claude's version as major times 100 plus minor: 3.7 is 307, 4 is 400. Null if the name has none. */
export function claudeVersion(upstreamModel: string): number | null {
  const [, major, minor = '0'] = CLAUDE_VERSION.exec(upstreamModel) ?? [];
  return major === undefined ? null : Number(major) * 100 + Number(minor);
}

/** The version may come after the model's kind or before it, and a date of eight digits after it. */
const CLAUDE_VERSION = /claude-(?:(?:opus|sonnet|haiku|fable|mythos|instant)-)?v?(\d{1,2})(?:[.-](\d{1,2}))?(?!\d)/;
