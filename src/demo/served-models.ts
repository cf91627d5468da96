/** Every model that the demo provider lists: those of conversations, and one for each other operation. */
import { modelNames } from './models/index.ts';
import { MODERATION_MODEL } from './openai-chat/moderations.ts';
import { RANKING_MODEL } from './openai-chat/rerank.ts';
import { LISTENING_MODEL } from './openai-chat/transcripts.ts';
import { IMAGE_MODEL } from './png-of.ts';
import { SPEECH_MODEL } from './sound-of.ts';
import { EMBEDDING_MODEL } from './vector-of.ts';

export const servedModels: readonly string[] = [
  ...modelNames,
  ...[EMBEDDING_MODEL, RANKING_MODEL, MODERATION_MODEL],
  ...[IMAGE_MODEL, SPEECH_MODEL, LISTENING_MODEL],
];
