/** The form in which OpenAI's packages send images to edit: https://platform.openai.com/docs/api-reference/images/createEdit */
import type { JsonDocument } from '../../../wire/json-document.ts';
import { readValue } from '../../../wire/json-read.ts';
import { type DescribedFile, type Form, type FormRules, laterBytes } from '../../interface/form.ts';
import type { Peek } from '../../interface/peek.ts';
import { invalid, missing, unsupported } from '../../kit/errors/request-errors.ts';
import { ImageHead } from '../../kit/media/image-head.ts';
import { type InlineMedia, NO_MEDIA } from '../../kit/media/inline-media.ts';
import { formFields } from '../../kit/peek/form-fields.ts';
import { refused } from '../../kit/peek/governed-field.ts';
import { requestFields } from '../../kit/peek/request-fields.ts';
import { imageReader, withReadImages } from './image-part.ts';

const ONE = 'image';
const SEVERAL = 'image[]';
/** OpenAI takes 16 images at most; the other files lie above the first of them. */
const FILES: FormRules['files'] = new Map([
  [ONE, 1],
  [SEVERAL, 16],
  ['mask', 1],
  ['markup', 1],
]);
const FILES_MAX = [...FILES.values()].reduce((sum, count) => sum + count, 0);

export const editRules: FormRules = {
  files: FILES,
  needs: ['model', 'prompt'],
  // A few photographs: with less, what comes after them would often be too late to decide what is held.
  firstBytes: 8 * 1024 * 1024,
  orJson: true,
  inspect: () => new ImageHead(),
};

/** Of the JSON form, and of other vendors: images of any length, or that somebody else has stored at the provider. */
const OTHER_IMAGES = ['images', 'image_url', 'image_urls', 'file_id', 'file_ids'];
const NOT_HERE = 'it names images that are not in the form';

const read = imageReader({
  fields: [ONE, 'mask', 'markup', 'input_fidelity'],
  governed: OTHER_IMAGES.map((name) => refused(name, NOT_HERE, `Send "${ONE}".`)),
  values: formFields,
});

/** Each of them may be written as a list. */
function refuseLists(document: JsonDocument): void {
  for (const name of document.fields.keys()) {
    const [base = ''] = name.toLowerCase().split('[', 1);
    if (name.includes('[') && !FILES.has(name) && (OTHER_IMAGES.includes(base) || FILES.has(base)))
      throw unsupported(name, `"${name}" is not accepted, because ${NOT_HERE}. Send "${SEVERAL}".`);
  }
}

export function peekEditForm(document: JsonDocument, form: Form): Peek {
  const peek = read(document);
  refuseLists(document);
  const files = filesIn(document);
  if (form.isComplete && [ONE, SEVERAL].every((name) => requestFields.present(document, name) === null))
    throw missing(ONE);
  const ofForm = { ...peek, bodyBytes: peek.bodyBytes + laterBytes(form) };
  return withReadImages(
    ofForm,
    mediaOf(
      files,
      form,
      document.watched.some(({ type }) => type === 'string'),
    ),
  );
}

function filesIn(document: JsonDocument): readonly DescribedFile[] {
  return [...FILES.keys()].flatMap((name) => {
    const field = requestFields.present(document, name);
    const files = field === null ? [] : [readValue(document, field)].flat();
    for (const { bytes } of files as DescribedFile[])
      if (bytes === 0) throw invalid(name, `"${name}" must not be empty.`);
    return files as DescribedFile[];
  });
}

/** Of a form that is arriving, as if all of the files came that it may have, and each were an image. */
function mediaOf(files: readonly DescribedFile[], { isComplete }: Form, namesOthers: boolean): InlineMedia {
  return {
    ...NO_MEDIA,
    images: isComplete ? files.length : FILES_MAX,
    isBounded: !namesOthers && files.every((file) => file.bytes === undefined || isImage(file)),
  };
}

/** Whether its bytes are an image, and its declared type says the same: a provider may go by either. */
function isImage({ image_type: image, content_type: declared = UNKNOWN }: DescribedFile): boolean {
  if (image === undefined) return false;
  return [UNKNOWN, image, ...(image === 'image/jpeg' ? ['image/jpg'] : [])].includes(declared.toLowerCase());
}

const UNKNOWN = 'application/octet-stream';
