/** What models are for besides conversations: an operation is answered by those that have what it asks for among their outputs. */

import type { OperationName } from '../dialects/interface/caller-path.ts';
import type { Modality, Model } from './model.ts';

/** What says what a model is for. */
export type Purposeful = Pick<Model, 'outputModalities' | 'assumesOutput'>;

/** Whether an operation of this name may be answered by the model, by what it is for. */
export function isFor(model: Purposeful, name: OperationName): boolean {
  const purpose = purposeOf(name);
  if (purpose === null) return onlyPurposeOf(model) === null;
  return model.assumesOutput === true || model.outputModalities.includes(purpose.modality);
}

/** What such an operation asks for; null for one that models answer by writing. */
export function purposeOf(name: OperationName): Purpose | null {
  return PURPOSES.find(({ operation }) => operation === name) ?? null;
}

/** What a model is for that is for nothing else; null if it may write text. */
export function onlyPurposeOf({ outputModalities }: Pick<Model, 'outputModalities'>): Purpose | null {
  const purposes = PURPOSES.filter(
    ({ modality, converses }) => converses !== true && outputModalities.includes(modality),
  );
  const isPurpose = (modality: Modality) => purposes.some((each) => each.modality === modality);
  return outputModalities.every(isPurpose) ? (purposes[0] ?? null) : null;
}

/** What models do that an operation other than a conversation asks for. */
export interface Purpose {
  readonly operation: OperationName;
  /** What such a model has among its outputs. */
  readonly modality: Modality;
  /** What it does, as the end of a sentence. */
  readonly does: string;
  /** The field with what it reads. */
  readonly param: string;
  /** Whether some such models answer conversations as well: then none is refused there. Absent: no. */
  readonly converses?: true;
  /** Whether sound is all that they read, whatever the model says of its input. Absent: no. */
  readonly readsSound?: true;
}

/** What models are for besides writing text. */
const PURPOSES: readonly Purpose[] = [
  {
    operation: 'embeddings',
    modality: 'embeddings',
    does: 'turn texts into vectors',
    param: 'content',
  },
  {
    operation: 'rerank',
    modality: 'rerank',
    does: 'rank documents',
    param: 'documents',
  },
  {
    operation: 'moderations',
    modality: 'moderation',
    does: 'judge whether texts are harmful',
    param: 'input',
  },
  {
    operation: 'images',
    modality: 'image',
    does: 'make images',
    param: 'prompt',
    converses: true,
  },
  {
    operation: 'image_edits',
    modality: 'image',
    does: 'make images',
    param: 'images',
    converses: true,
  },
  {
    operation: 'speech',
    modality: 'audio',
    does: 'speak',
    param: 'input',
    converses: true,
  },
  ...(['transcriptions', 'translations'] as const).map(
    (operation): Purpose => ({
      operation,
      modality: 'transcription',
      does: 'write down recordings',
      param: 'file',
      readsSound: true,
    }),
  ),
];
