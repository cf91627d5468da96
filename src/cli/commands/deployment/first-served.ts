/** Of the models that may be examined, the first that a provider would serve that has not failed lately. */
import { checkRoutes } from './check-routes.ts';
import type { Deployment } from './deployment.ts';
import type { Finding } from './finding.ts';
import type { ListedModel } from './models.ts';

/** A model whose providers all fail is passed over for the next one, as long as this lasts. */
const MODELS_ASKED_MAX = 5;

interface Served {
  /** Null if no call would be served. */
  readonly model: ListedModel | null;
  /** About the routes of that model. */
  readonly findings: readonly Finding[];
}

/** Asking for a route is free. If none of the models is ready, the preferred one is examined, which shows why. */
export async function firstServed(deployment: Deployment, models: readonly ListedModel[]): Promise<Served> {
  let preferred: Served | null = null;
  for (const model of models.slice(0, MODELS_ASKED_MAX)) {
    const { findings, isServed, isReady } = await checkRoutes(deployment, model.id);
    const found = { model: isServed ? model : null, findings };
    if (isReady) return found;
    preferred ??= found;
  }
  return preferred ?? { model: null, findings: [] };
}
