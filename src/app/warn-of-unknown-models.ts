/** Logs the ids of models in the configuration that nothing has, once the providers of the dashboard are known too. */
import type { Catalog } from '../catalog/model.ts';
import type { Config } from '../config/config.ts';
import { unknownModelsInSteps } from '../config/unknown-models.ts';
import type { Steps } from '../core/turns/steps.ts';
import type { Log } from '../telemetry/log.ts';

export function* warnOfUnknownModels(
  config: Pick<Config, 'aliases' | 'billing'>,
  catalog: Pick<Catalog, 'get' | 'all'>,
  log: Pick<Log, 'warn'>,
): Steps<void> {
  for (const { option, model, meant } of yield* unknownModelsInSteps(config, catalog))
    log.warn({ option, model, meant }, 'unknown_model: no model has this id, so the option has no effect');
}
