/** What a model is for: one that turns texts into vectors answers no conversation, and one that writes ranks no documents. */
import type { Model, Target } from '../../catalog/model.ts';
import { onlyPurposeOf, purposeOf } from '../../catalog/model-purpose.ts';
import { hasTokenPrices } from '../../catalog/prices.ts';
import { GatewayError } from '../../core/errors.ts';
import { callerDialects } from '../../dialects/index.ts';
import type { OperationName } from '../../dialects/interface/caller-path.ts';
import type { Peek } from '../../dialects/interface/peek.ts';
import type { Operation } from '../../operations/operation.ts';

type JudgedModel = Pick<Model, 'id' | 'inputModalities' | 'outputModalities' | 'assumesOutput'> & {
  readonly targets: readonly Pick<Target, 'dialects' | 'provider' | 'prices'>[];
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
  const purpose = purposeOf(name);
  if (purpose === null) return refuseWithoutText(model);
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
      `Only text can be sent to ${model.id} here: nothing says that it reads images, sounds or files${isFree(model) ? '' : ', and what they cost there'}. ` +
        `The operator can say that it reads them, with \`inputModalities: [text, image]\` of the model in turnpike.yaml, in the dashboard or with ` +
        `\`turnpike providers update ${model.targets[0]?.provider ?? '<name>'} --models … --input-modalities text,image\`.`,
    );
}

function refuseWithoutText({ id, outputModalities, targets }: JudgedModel): void {
  const purpose = onlyPurposeOf({ outputModalities });
  if (purpose === null) return;
  const places = placesOf(purpose.operation, targets).map((pattern) => `POST ${pattern.replace('{model}', id)}`);
  throw unsupported(
    'model',
    `${id} is there to ${purpose.does}, and writes no text. ${places.length === 0 ? 'Use' : `Call it at ${places.join(' or ')}, or use`} another model.`,
  );
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

function isFree({ targets }: JudgedModel): boolean {
  return targets.every(
    ({ prices }) => prices !== null && !hasTokenPrices(prices) && prices.units.every(({ price }) => price === 0n),
  );
}

function readsTextOnly({ inputModalities }: JudgedModel): boolean {
  return inputModalities.every((modality) => modality === 'text');
}

function hasMedia({ media, promptUnbounded }: Pick<Peek, 'media' | 'promptUnbounded'>): boolean {
  return promptUnbounded || media.images > 0 || media.audioTokens > 0 || media.bytes > 0;
}
