/** The target of a translated request: the facts of the catalogue and of the provider's declaration, combined. */
import type { Model, Target } from '../../catalog/model.ts';
import type { ProviderDialectName } from '../../dialects/index.ts';
import type { WriteTarget } from '../../dialects/interface/write-target.ts';
import type { Provider } from '../../providers/provider.ts';

/** By model, because the list is the same for every call to it. */
const parameterSets = new WeakMap<Model, ReadonlySet<string>>();

/** `target` is one of the model's, `provider` the one it names; `dialect` is spoken there. */
export function writeTargetOf(
  model: Model,
  target: Target,
  provider: Provider,
  dialect: ProviderDialectName,
): WriteTarget {
  const quirks = provider.quirksOf(dialect);
  const own = model.quirks[dialect];
  return {
    upstreamModel: target.upstreamModel,
    outputCap: target.outputCap,
    parameters: parametersOf(model),
    efforts: model.efforts,
    sampling: model.sampling ?? provider.sampling,
    quirks: own === undefined ? quirks : { ...quirks, ...own },
  };
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

/** Null for an empty list: what the model supports is unknown. */
function parametersOf(model: Model): ReadonlySet<string> | null {
  if (model.supportedParameters.length === 0) return null;
  let parameters = parameterSets.get(model);
  if (parameters === undefined) {
    parameters = new Set([...model.supportedParameters, ...unlistedOf(model)]);
    parameterSets.set(model, parameters);
  }
  return parameters;
}
