/** The target of a translated request: the facts of the catalogue and of the provider's declaration, combined. */
import type { Model, Target } from '../../catalog/model.ts';
import { parametersOf } from '../../catalog/parameters-of.ts';
import type { ProviderDialectName } from '../../dialects/index.ts';
import type { WriteTarget } from '../../dialects/interface/write-target.ts';
import type { Provider } from '../../providers/provider.ts';

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
