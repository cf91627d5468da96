/** The operations besides `chat` that OpenAI's format has. To add one: its file, and a line in each table. */
import type { CallerPath, OperationName } from '../../interface/caller-path.ts';
import type { OperationPart } from '../../interface/operation-part.ts';
import { completions } from './completions.ts';
import { embeddings } from './embeddings.ts';
import { imageEdits } from './image-edits.ts';
import { images } from './images.ts';
import { moderations } from './moderations.ts';
import { rerank } from './rerank.ts';
import { speech } from './speech.ts';
import { transcriptions, translations } from './transcriptions.ts';

export const parts = {
  completions,
  embeddings,
  images,
  image_edits: imageEdits,
  moderations,
  rerank,
  speech,
  transcriptions,
  translations,
} as const satisfies {
  readonly [operation in OperationName]?: OperationPart;
};

/** The paths at OpenAI, and at most servers of this format. */
export const usualPartPaths: Readonly<Record<keyof typeof parts, string>> = {
  completions: '/v1/completions',
  embeddings: '/v1/embeddings',
  images: '/v1/images/generations',
  image_edits: '/v1/images/edits',
  moderations: '/v1/moderations',
  rerank: '/v1/rerank',
  speech: '/v1/audio/speech',
  transcriptions: '/v1/audio/transcriptions',
  translations: '/v1/audio/translations',
};

const VERSION = '/v1';
/** Cohere's clients add this to a base address, whose `/v1` they do not expect: https://docs.cohere.com/v2/reference/rerank */
const COHERE_PATHS = ['/v2/rerank', '/api/v2/rerank', '/api/v1/v2/rerank'];

/** The same below `/api`, and as clients with a slightly wrong base URL ask for them. */
export const partPaths: readonly CallerPath[] = Object.entries(usualPartPaths).map(([operation, path]) => ({
  pattern: `/api${path}`,
  operation: operation as OperationName,
  aliases: [path, `/api/v1${path}`, path.slice(VERSION.length), ...(operation === 'rerank' ? COHERE_PATHS : [])],
}));
