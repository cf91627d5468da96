import type { StreamedBody } from '../../core/body.ts';
import type { FormField } from '../../wire/multipart/form-writer.ts';

/** A request that is a form with a file, which may still be arriving. Its document says what is known of it. */
export interface Form {
  /** Bytes of the file that have arrived. */
  readonly fileBytes: number;
  /** The body of one attempt: the fields as they came, as edited, and the file. `edit` returns null for a field that is left out. */
  write(edit: (field: FormField) => FormField | null): StreamedBody & { readonly contentType: string };
  /** The body of one attempt: the file alone. */
  writeFile(): StreamedBody;
}

/** The name of the one field of a form that is a file. In the form's document it is an object, see `DescribedFile`. */
export const FILE_FIELD = 'file';

/** A form's file in its document. */
export interface DescribedFile {
  /** As the caller calls it. */
  readonly filename: string;
  readonly content_type?: string;
  /** Once all of it has arrived. */
  readonly bytes?: number;
  /** Before: no more than this. */
  readonly bytes_max?: number;
  /** Hexadecimal, once all of it has arrived and if the account's bodies are stored. */
  readonly sha256?: string;
}
