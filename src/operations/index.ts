/** The operations of this gateway. To add one: its file, its name in `OperationName`, and a line here. */

import type { OperationName } from '../dialects/interface/caller-path.ts';
import { chat } from './chat.ts';
import { compact } from './compact.ts';
import { completions } from './completions.ts';
import { countTokens } from './count-tokens.ts';
import { embeddings } from './embeddings.ts';
import { imageEdits } from './image-edits.ts';
import { images } from './images.ts';
import { moderations } from './moderations.ts';
import type { Operation } from './operation.ts';
import { rerank } from './rerank.ts';
import { speech } from './speech.ts';
import { transcriptions } from './transcriptions.ts';
import { translations } from './translations.ts';

export const operations = {
  chat,
  completions,
  count_tokens: countTokens,
  embeddings,
  images,
  image_edits: imageEdits,
  moderations,
  rerank,
  speech,
  transcriptions,
  translations,
  compact,
} as const satisfies Readonly<Record<OperationName, Operation>>;

/** What a key can be permitted to do: operations, and to have files and batches of them. */
export type Permission = OperationName | 'batches';

/** The permissions that a key, a project or an account may have, without repeats. */
export const operationPermissions: readonly Permission[] = [
  ...new Set<Permission>(Object.values(operations).map(({ permission }) => permission)),
  'batches',
];
