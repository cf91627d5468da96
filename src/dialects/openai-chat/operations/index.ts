/** The operations besides `chat` that OpenAI's format has. To add one: its file, and a line in each table. */
import type { CallerPath, OperationName } from '../../interface/caller-path.ts';
import type { OperationPart } from '../../interface/operation-part.ts';
import { completions } from './completions.ts';
import { embeddings } from './embeddings.ts';

type PartName = 'completions' | 'embeddings';

export const parts = { completions, embeddings } as const satisfies Readonly<Record<PartName, OperationPart>>;

/** The paths at OpenAI, and at most servers of this format. */
export const usualPartPaths: Readonly<Record<PartName, string>> = {
  completions: '/v1/completions',
  embeddings: '/v1/embeddings',
};

const VERSION = '/v1';

/** The same below `/api`, and as clients with a slightly wrong base URL ask for them. */
export const partPaths: readonly CallerPath[] = Object.entries(usualPartPaths).map(([operation, path]) => ({
  pattern: `/api${path}`,
  operation: operation as OperationName,
  aliases: [path, `/api/v1${path}`, path.slice(VERSION.length)],
}));
