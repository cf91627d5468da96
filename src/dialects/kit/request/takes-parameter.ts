/** Whether a parameter may stand in a translated request, and what is told where it may not. */

import type { WriteTarget } from '../../interface/write-target.ts';
import { SAMPLING_FIELDS } from '../../interface/write-target.ts';

/**
 * `name` in OpenRouter's words. Of a model whose parameters nobody knows everything is sent but what strict servers refuse a request
 * for: `top_p` and `top_k` are no parameters of OpenAI's reasoning models and of Anthropic's newer ones, and `top_k` is none of
 * OpenAI's format. The provider says what of those it takes.
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

/** A sentence for the caller. */
export function lossOfParameter({ parameters }: WriteTarget, name: string): string {
  return parameters === null
    ? `${name} was left out, since nobody has said here whether this model takes it`
    : `${name} is not known to this model and was left out`;
}

const SAMPLING: ReadonlySet<string> = new Set(SAMPLING_FIELDS);
