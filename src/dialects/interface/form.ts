import type { StreamedBody } from '../../core/body.ts';
import type { FormField } from '../../wire/multipart/form-writer.ts';

/** A request that is a form with files, which may still be arriving. Its document says what is known of it. */
export interface Form {
  /** Bytes of all files that have arrived. */
  readonly fileBytes: number;
  /** Whether all of it has arrived. */
  readonly isComplete: boolean;
  /** The body of one attempt: the fields as they came, as edited, and the files. `edit` returns null for a field that is left out. */
  write(edit: (field: FormField) => FormField | null): StreamedBody & { readonly contentType: string };
  /** The body of one attempt: the file alone. */
  writeFile(): StreamedBody;
}

/** What an operation takes as a form. */
export interface FormRules {
  /** By the name of each field that is a file, how many there may be. A name that ends in `[]` is a list. */
  readonly files: ReadonlyMap<string, number>;
  /** The fields without which nobody can say where it goes and what it costs. */
  readonly needs: readonly string[];
  /** Bytes of files, above which a form that has these fields goes on before it is complete. */
  readonly firstBytes: number;
  /** Whether its request may be JSON instead. */
  readonly orJson: boolean;
  /** For each file, what reads its bytes as they arrive. Absent if nothing does. */
  inspect?(): FileInspector;
}

/** Looks at a file, whatever its pieces, and keeps a few bytes of it at most. */
export interface FileInspector {
  feed(bytes: Buffer): void;
  /** The file is over. */
  end(): void;
  /** The type of an image with a size; null for anything else, and while that is not known. */
  readonly image: string | null;
}

/** The name of the one file of a recording's form. */
export const FILE_FIELD = 'file';

/** A file in a form's document. */
export interface DescribedFile {
  /** As the caller calls it. */
  readonly filename: string;
  readonly content_type?: string;
  /** Once all of it has arrived. */
  readonly bytes?: number;
  /** Before: no more than this. */
  readonly bytes_max?: number;
  /** See `FileInspector`. */
  readonly image_type?: string;
  /** Hexadecimal, once all of it has arrived and if the account's bodies are stored. */
  readonly sha256?: string;
}

/** What fields may add that come after the files of a form that has gone on, bytes of its document. More of them is refused. */
const LATER_BYTES = 4 * 1024;

/** How many bytes longer the document of a form may become; 0 once all of it has arrived. */
export function laterBytes(form: Form | undefined): number {
  return form === undefined || form.isComplete ? 0 : LATER_BYTES;
}
