/** What may be sent to a model: the parameters that it supports, in OpenRouter's words. */
import type { Model } from './model.ts';

/** By model, because the list is the same for every call to it. */
const parameterSets = new WeakMap<Model, ReadonlySet<string>>();

/** Null if the model's list is empty: what it supports is unknown. */
export function parametersOf(model: Model): ReadonlySet<string> | null {
  if (model.supportedParameters.length === 0) return null;
  let parameters = parameterSets.get(model);
  if (parameters === undefined) {
    parameters = new Set([...model.supportedParameters, ...unlistedOf(model)]);
    parameterSets.set(model, parameters);
  }
  return parameters;
}

/** Parameters that the catalogue's tables never list, so their absence means nothing. */
const UNLISTED = ['seed', 'verbosity', 'parallel_tool_calls', 'frequency_penalty', 'presence_penalty', 'stop'];
/** Those of them that OpenAI's reasoning models refuse: https://platform.openai.com/docs/guides/reasoning */
const REFUSED_BY_REASONING: ReadonlySet<string> = new Set(['frequency_penalty', 'presence_penalty', 'stop']);
const SAMPLING = ['temperature', 'top_p'];

/**
 * What may be sent although it is not listed. A list from the operator is complete. A reasoning model without temperature in
 * its list supports no sampling.
 */
function unlistedOf({ supportedParameters, listsAllParameters }: Model): readonly string[] {
  if (listsAllParameters === true) return [];
  const samples = supportedParameters.includes('temperature');
  const thinks = supportedParameters.includes('reasoning');
  if (thinks) return samples ? UNLISTED : UNLISTED.filter((name) => !REFUSED_BY_REASONING.has(name));
  // One of the tables never lists sampling; models that only it has support it like any other.
  return [...UNLISTED, ...SAMPLING];
}
