/** Warns of ids of models in the configuration that no model has, as far as that can be known without opening the database. */
import { configuredCatalog } from '../../../app/configured-catalog.ts';
import { storageOf } from '../../../app/open-storage.ts';
import type { Config, LoadedConfig } from '../../../config/config.ts';
import type { Problem } from '../../../config/problem.ts';
import { type UnknownModel, unknownModels, unknownModelText } from '../../../config/unknown-models.ts';
import { CommandFailed } from '../../command-errors.ts';
import { connectToServer } from '../../control-client.ts';
import { readOfferedModels } from '../../offered-models.ts';

export interface UnknownIds {
  /** What no model has for certain: nothing more can serve it, or the running server does not. */
  readonly problems: readonly Problem[];
  /** What a provider of the dashboard may serve: no server runs that could say. */
  readonly doubts: readonly Problem[];
}

export async function unknownIds({ config, origins }: LoadedConfig): Promise<UnknownIds> {
  const unknown = unknownModels(config, (await configuredCatalog(config)).catalog);
  if (unknown.length === 0) return { problems: [], doubts: [] };
  const served = await servedIds(config);
  const left = served === null ? unknown : unknown.filter(({ model }) => !served.has(model));
  const named = left.map((each) => ({
    where: origins.get(each.origin)?.source ?? 'configuration',
    message: textOf(each),
  }));
  const hasMore = served === null && storageOf(config).hasData(config.dataFolder);
  return hasMore
    ? { problems: [], doubts: named.map((each) => ({ ...each, message: each.message + UNLESS_IN_DASHBOARD })) }
    : { problems: named, doubts: [] };
}

const UNLESS_IN_DASHBOARD = ', unless a provider that was added in the dashboard serves it';

function textOf(unknown: UnknownModel): string {
  return `${unknown.option}: ${unknownModelText(unknown)}`;
}

/** Null if no server runs or it cannot be asked; other checks report that. */
async function servedIds({ dataFolder }: Config): Promise<ReadonlySet<string> | null> {
  try {
    const client = await connectToServer(dataFolder);
    if (client === null) return null;
    const { data } = await readOfferedModels<{ readonly id: string }>(client, false);
    return new Set(data.map(({ id }) => id));
  } catch (error) {
    if (error instanceof CommandFailed) return null;
    throw error;
  }
}
