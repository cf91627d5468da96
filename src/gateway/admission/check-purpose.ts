/** What a model is for: one that turns texts into vectors answers no conversation. */
import type { Model } from '../../catalog/model.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Peek } from '../../dialects/interface/peek.ts';
import type { Operation } from '../../operations/operation.ts';

/**
 * Throws `GatewayError` 400 `unsupported_value` for a conversation with a model for vectors, and for vectors of images, sounds and files:
 * those have prices per image and second, which the catalogue does not have, unless the model is configured to read them.
 */
export function checkPurpose(
  model: Pick<Model, 'id' | 'inputModalities' | 'outputModalities'>,
  { name }: Pick<Operation, 'name'>,
  peek: Pick<Peek, 'media' | 'promptUnbounded'>,
): void {
  if (!model.outputModalities.includes('embeddings')) return;
  if (name !== 'embeddings' && !model.outputModalities.includes('text'))
    throw new GatewayError('unsupported_value', {
      message: `${model.id} turns texts into vectors and answers no conversation. Call it at POST /api/v1/embeddings, in Google's format at POST /v1beta/models/${model.id}:embedContent, or use another model.`,
      param: 'model',
    });
  if (name === 'embeddings' && readsTextOnly(model) && hasMedia(peek))
    throw new GatewayError('unsupported_value', {
      message: `Only text can be sent to ${model.id}: what vectors of images, sounds and files cost is not known here.`,
      param: 'content',
    });
}

function readsTextOnly({ inputModalities }: Pick<Model, 'inputModalities'>): boolean {
  return inputModalities.every((modality) => modality === 'text');
}

function hasMedia({ media, promptUnbounded }: Pick<Peek, 'media' | 'promptUnbounded'>): boolean {
  return promptUnbounded || media.images > 0 || media.audioTokens > 0 || media.bytes > 0;
}
