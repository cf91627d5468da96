import { mayUse } from '../../accounts/limits.ts';
import type { Catalog } from '../../catalog/model.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Identified } from '../phases.ts';
import type { Keeper } from './stored-answers.ts';

export interface ModelPorts {
  readonly catalog: Pick<Catalog, 'all'>;
}

/**
 * Whether the key may use the model that made what is kept: otherwise it neither reads nor continues it. What no model of the catalogue made
 * is open to the project.
 */
export function mayUseMaker({ catalog }: ModelPorts, { key, project, account }: Identified, keeper: Keeper): boolean {
  const allowed = mayUse(key, project, account);
  const models = catalog
    .all()
    .filter(({ targets }) =>
      targets.some(
        ({ provider, upstreamModel }) => provider === keeper.provider && upstreamModel === keeper.upstreamModel,
      ),
    );
  return models.length === 0 || models.some(({ id }) => allowed(id));
}

export function makerNotAllowed(): GatewayError {
  return new GatewayError('model_not_allowed', {
    message: 'This key is not allowed to use the model that made this response.',
  });
}
