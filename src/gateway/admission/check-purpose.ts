/** What a model is for: one that turns texts into vectors answers no conversation, and one that writes ranks no documents. */
import type { Modality, Model, Target } from '../../catalog/model.ts';
import { GatewayError } from '../../core/errors.ts';
import { callerDialects } from '../../dialects/index.ts';
import type { OperationName } from '../../dialects/interface/caller-path.ts';
import type { Peek } from '../../dialects/interface/peek.ts';
import type { Operation } from '../../operations/operation.ts';

type JudgedModel = Pick<Model, 'id' | 'inputModalities' | 'outputModalities' | 'assumesOutput'> & {
  readonly targets: readonly Pick<Target, 'dialects'>[];
};

/**
 * Throws `GatewayError` 400 `unsupported_value` for an operation that the model is not for; a model of which nothing says what it is for may be
 * for any. And, where a model makes no text, for images, sounds and files: those have prices per image and second, which the catalogue does
 * not have, unless the model is configured to read them.
 */
export function checkPurpose(
  model: JudgedModel,
  { name }: Pick<Operation, 'name'>,
  peek: Pick<Peek, 'media' | 'promptUnbounded'>,
): void {
  const purpose = PURPOSES.find(({ operation }) => operation === name);
  if (purpose === undefined) return refuseWithoutText(model);
  const { modality, does, param, readsSound = false } = purpose;
  if (!model.outputModalities.includes(modality)) {
    if (model.assumesOutput === true) return;
    throw unsupported(
      'model',
      `${model.id} does not ${does}. Use a model that does: GET /api/v1/models?output_modalities=${modality} lists them.`,
    );
  }
  if (!readsSound && readsTextOnly(model) && hasMedia(peek))
    throw unsupported(
      param,
      `Only text can be sent to ${model.id} here: what images, sounds and files cost there is not known.`,
    );
}

/** Whether an operation of this name may be answered by the model, by what it is for. */
export function isFor(model: Pick<Model, 'outputModalities' | 'assumesOutput'>, name: OperationName): boolean {
  const purpose = PURPOSES.find(({ operation }) => operation === name);
  if (purpose === undefined) return onlyPurposeOf(model) === null;
  return model.assumesOutput === true || model.outputModalities.includes(purpose.modality);
}

interface Purpose {
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

function refuseWithoutText({ id, outputModalities, targets }: JudgedModel): void {
  const purpose = onlyPurposeOf({ outputModalities });
  if (purpose === null) return;
  const places = placesOf(purpose.operation, targets).map((pattern) => `POST ${pattern.replace('{model}', id)}`);
  throw unsupported(
    'model',
    `${id} is there to ${purpose.does}, and writes no text. ${places.length === 0 ? 'Use' : `Call it at ${places.join(' or ')}, or use`} another model.`,
  );
}

/** What a model is for that is for nothing else; null if it may write text. */
function onlyPurposeOf({ outputModalities }: Pick<Model, 'outputModalities'>): Purpose | null {
  const purposes = PURPOSES.filter(
    ({ modality, converses }) => converses !== true && outputModalities.includes(modality),
  );
  const isPurpose = (modality: Modality) => purposes.some((each) => each.modality === modality);
  return outputModalities.every(isPurpose) ? (purposes[0] ?? null) : null;
}

/** The path of each format that its providers speak. */
function placesOf(operation: OperationName, targets: JudgedModel['targets']): readonly string[] {
  const spoken = new Set<string>(targets.flatMap(({ dialects }) => dialects));
  return Object.values(callerDialects).flatMap(({ name, paths }) => {
    const path = spoken.has(name) ? paths.find((each) => each.operation === operation) : undefined;
    return path === undefined ? [] : [path.pattern];
  });
}

function unsupported(param: string, message: string): GatewayError {
  return new GatewayError('unsupported_value', { message, param });
}

function readsTextOnly({ inputModalities }: JudgedModel): boolean {
  return inputModalities.every((modality) => modality === 'text');
}

function hasMedia({ media, promptUnbounded }: Pick<Peek, 'media' | 'promptUnbounded'>): boolean {
  return promptUnbounded || media.images > 0 || media.audioTokens > 0 || media.bytes > 0;
}
