/**
 * Images made of others: https://platform.openai.com/docs/api-reference/images/createEdit. These are files of a form, or in JSON `data:` URLs or given
 * by URL. Charged like images of a text, and for the images that are read.
 */
import type { JsonDocument } from '../../../wire/json-document.ts';
import { arrayIsEmpty } from '../../../wire/json-read.ts';
import type { OperationPart } from '../../interface/operation-part.ts';
import type { Peek } from '../../interface/peek.ts';
import { invalid, unsupported } from '../../kit/errors/request-errors.ts';
import { type InlineMedia, MediaTally } from '../../kit/media/inline-media.ts';
import { requestFields } from '../../kit/peek/request-fields.ts';
import { editRules, peekEditForm } from './image-edit-form.ts';
import { imageReader, imageStreaming, openImageRelay, withReadImages } from './image-part.ts';
import { patchForm } from './patch-form.ts';
import { patchPart } from './patch-part.ts';

const read = imageReader({ fields: ['images', 'image', 'mask', 'input_fidelity'] });

/** A white pixel. */
const EXAMPLE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAGx7yMgAAAABJRU5ErkJggg==';

export const imageEdits: OperationPart = {
  exampleBody: (model) => ({ model, prompt: 'Hello, Turnpike', images: [{ image_url: EXAMPLE }] }),
  form: editRules,
  streaming: imageStreaming,
  peek: (inbound) =>
    inbound.form === undefined ? peekJson(inbound.document) : peekEditForm(inbound.document, inbound.form),
  patchRequest: (inbound, peek, edits) => (inbound.form === undefined ? patchPart : patchForm)(inbound, peek, edits),
  openRelay: openImageRelay,
};

function peekJson(document: JsonDocument): Peek {
  const peek = read(document);
  requireImages(document);
  return withReadImages(peek, readImages(document));
}

function requireImages(document: JsonDocument): void {
  if (requestFields.present(document, 'image') !== null)
    throw unsupported(
      'image',
      'Send images as files of a form, or in "images" as a list of objects with an "image_url".',
    );
  const images = requestFields.required(document, 'images');
  if (images.type !== 'array' || arrayIsEmpty(document, images))
    throw invalid('images', '"images" must be a list of objects with an "image_url".');
}

const IMAGE_PATH = /^(?:images\[\]|mask)\.image_url$/;

/** Of all images and the mask. What a provider keeps, by its id, may be another caller's. Throws `GatewayError` 400 for that. */
function readImages(document: JsonDocument): InlineMedia {
  const tally = new MediaTally();
  for (const field of document.watched) {
    if (field.type === 'null') continue;
    if (field.path.endsWith('file_id'))
      throw unsupported(field.path, 'Files that a provider keeps cannot be named here: send the image itself.');
    if (field.type === 'string' && IMAGE_PATH.test(field.path)) tally.addImage(document, field);
    else tally.addOther();
  }
  return tallied(tally);
}

/** As plain data. */
function tallied({ images, audioTokens, fileCharacters, bytes, isBounded }: InlineMedia): InlineMedia {
  return { images, audioTokens, fileCharacters, bytes, isBounded };
}
