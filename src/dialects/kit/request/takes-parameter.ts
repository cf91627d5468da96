/** Whether a translated request may have a parameter, and the warning if it may not. */

import type { WriteTarget } from '../../interface/write-target.ts';
import { SAMPLING_FIELDS } from '../../interface/write-target.ts';

/**
 * `name` as OpenRouter names it. A model with unknown parameters gets all of them except those for which strict servers refuse a request:
 * `top_p` and `top_k` are not parameters of OpenAI's reasoning models and of Anthropic's newer ones, and `top_k` is not part of OpenAI's
 * format. The provider declares which of those it accepts.
 *
 * https://platform.openai.com/docs/guides/reasoning, https://docs.claude.com/en/docs/about-claude/models/migrating-to-claude-4
 */
export function takesParameter(
  { parameters, sampling }: Pick<WriteTarget, 'parameters' | 'sampling'>,
  name: string,
): boolean {
  if (parameters !== null) return parameters.has(name);
  return !SAMPLING.has(name) || (sampling as readonly string[]).includes(name);
}

/** Whether leaving it out changes nothing: a penalty of 0 is none. */
export function isNeutral(name: string, value: unknown): boolean {
  return value === 0 && name.endsWith('_penalty');
}

/** The warning for the caller. */
export function lossOfParameter({ parameters }: WriteTarget, name: string): string {
  return parameters === null
    ? `${name} was left out, because it is not known whether this model accepts it`
    : `${name} was left out, because this model does not accept it`;
}

const SAMPLING: ReadonlySet<string> = new Set(SAMPLING_FIELDS);
