/** The names of every model that the demo provider serves, and lists. */
import { demoModels } from './demo-models.ts';

export const servedModels: readonly string[] = demoModels.flatMap(({ targets }) =>
  targets.map(({ upstreamModel }) => upstreamModel),
);
