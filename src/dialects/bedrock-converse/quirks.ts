/** What models on Bedrock take of the format. */
import type { QuirkOptions } from '../interface/quirk-options.ts';
import type { WriteTarget } from '../interface/write-target.ts';
import { claudeVersion, familyOf, type ModelFamily } from './model-family.ts';

export interface Quirks {
  /** Its own fields, in addition to those of the format, depend on it. */
  readonly family: ModelFamily;
  /** How a Claude model is asked to think; null if it cannot, or nothing is known of the model. */
  readonly thinking: NonNullable<QuirkOptions['thinking']> | null;
  /** Where cache points may stand: nowhere, in instructions and messages, or also after tools. */
  readonly cachePoints: 'none' | 'prompt' | 'everywhere';
  /** Whether a cache point may last for an hour. */
  readonly cacheHour: boolean;
  /** Whether it takes instructions apart from the conversation. */
  readonly system: boolean;
  /** The choices that force a call. */
  readonly forcedChoices: readonly ('any' | 'tool')[];
  /** Whether it takes only one of temperature and top_p (`one`), or neither. */
  readonly sampling: 'both' | 'one' | 'none';
  /** Whether a result may say that its tool failed. */
  readonly resultStatus: boolean;
  /** Whether its answers can be held to a JSON schema. */
  readonly answerSchema: boolean;
  /** Whether the last turn may be the assistant's, for the model to continue. */
  readonly prefill: boolean;
}

/** For a model whose name says nothing: what all the large families take. */
export const usualQuirks: Quirks = {
  family: 'unknown',
  thinking: null,
  cachePoints: 'none',
  cacheHour: false,
  system: true,
  forcedChoices: ['any', 'tool'],
  sampling: 'both',
  resultStatus: true,
  answerSchema: true,
  prefill: true,
};

/**
 * https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference-supported-models-features.html
 * https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html
 * https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ToolChoice.html
 */
export function quirksOfModel(upstreamModel: string): Partial<Quirks> {
  const family = familyOf(upstreamModel);
  switch (family) {
    case 'claude':
      return { family, ...quirksOfClaude(upstreamModel) };
    case 'nova':
      return { family, cachePoints: 'prompt', answerSchema: false };
    case 'mistral':
      // The first models have no separate instructions: 7B, 8x7B.
      return { family, ...OF_OTHERS, forcedChoices: ['any'], system: !/mistral-7b|mixtral/.test(upstreamModel) };
    case 'titan':
      return { family, ...OF_OTHERS, system: false, answerSchema: false };
    case 'gpt-oss':
    case 'other':
      return { family, ...OF_OTHERS };
    case 'unknown':
      return {};
  }
}

/** The configuration can say how a model is asked to think, which only Claude's are: then its thoughts are sent back, too. */
export function readQuirkOptions({ thinking = null }: QuirkOptions): Partial<Quirks> {
  return thinking === null ? {} : { family: 'claude', thinking };
}

export type DialectTarget = WriteTarget<Quirks>;

const OF_OTHERS: Partial<Quirks> = { forcedChoices: ['any'], resultStatus: false, prefill: false };

/** A name without a version is taken for the newest. */
function quirksOfClaude(upstreamModel: string): Partial<Quirks> {
  const version = claudeVersion(upstreamModel) ?? Number.POSITIVE_INFINITY;
  const isHaiku = upstreamModel.includes('haiku');
  return {
    thinking: thinkingOfClaude(upstreamModel, version),
    cachePoints: version >= 307 || (version === 305 && isHaiku) ? 'everywhere' : 'none',
    cacheHour: version >= 405,
    sampling: version >= 407 ? 'none' : version >= 401 ? 'one' : 'both',
    answerSchema: version >= 405,
    prefill: version < 406,
  };
}

function thinkingOfClaude(upstreamModel: string, version: number): Quirks['thinking'] {
  if (/claude-(?:fable|mythos)/.test(upstreamModel)) return 'always';
  if (version < 307) return null;
  return version < 406 ? 'budget' : 'adaptive';
}
