/** What a translated request is written for: what the catalogue and the provider's declaration say, side by side. */
import type { Model, Target } from '../../catalog/model.ts';
import type { ProviderDialectName } from '../../dialects/index.ts';
import type { WriteTarget } from '../../dialects/interface/write-target.ts';
import type { Provider } from '../../providers/provider.ts';

/** By model, because the list is the same for every call to it. A model lives as long as its catalogue. */
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

/** What the tables the catalogue is made from never speak of: that it is not listed says nothing. */
const UNSPOKEN = ['seed', 'verbosity', 'parallel_tool_calls', 'frequency_penalty', 'presence_penalty', 'stop'];
/** Of those, what OpenAI's reasoning models refuse: https://platform.openai.com/docs/guides/reasoning */
const REFUSED_BY_THINKERS: ReadonlySet<string> = new Set(['frequency_penalty', 'presence_penalty', 'stop']);
const SAMPLING = ['temperature', 'top_p'];

/** What may be sent though the list is silent: a list that its operator wrote is taken at its word. A model that thinks and lists no temperature is one that takes no sampling. */
function unspokenOf({ supportedParameters, listsAllParameters }: Model): readonly string[] {
  if (listsAllParameters === true) return [];
  const samples = supportedParameters.includes('temperature');
  const thinks = supportedParameters.includes('reasoning');
  if (thinks) return samples ? UNSPOKEN : UNSPOKEN.filter((name) => !REFUSED_BY_THINKERS.has(name));
  // One of the tables says nothing of sampling: what it alone lists takes it like any other.
  return [...UNSPOKEN, ...SAMPLING];
}

/** Null for an empty list: nobody knows what the model takes. */
function parametersOf(model: Model): ReadonlySet<string> | null {
  if (model.supportedParameters.length === 0) return null;
  let parameters = parameterSets.get(model);
  if (parameters === undefined) {
    parameters = new Set([...model.supportedParameters, ...unspokenOf(model)]);
    parameterSets.set(model, parameters);
  }
  return parameters;
}
