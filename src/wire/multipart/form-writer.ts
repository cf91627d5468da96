/** Writes a form, with a boundary that nobody can guess, so that nothing in a file can look like it. */
import { randomBytes } from 'node:crypto';
import type { PartHead } from './part-head.ts';

/** A field of a form that is no file. */
export interface FormField {
  readonly name: string;
  readonly value: Buffer;
}

const BOUNDARY_BYTES = 24;

export class FormWriter {
  readonly contentType: string;
  readonly #boundary: string;

  constructor(boundary: string = `turnpike-${randomBytes(BOUNDARY_BYTES).toString('hex')}`) {
    this.#boundary = boundary;
    this.contentType = `multipart/form-data; boundary=${boundary}`;
  }

  /** The whole part. */
  field({ name, value }: FormField): Buffer {
    return Buffer.concat([this.#head({ name, fileName: null, contentType: null }), value, LINE_BREAK]);
  }

  /** What comes before the bytes of a file; `LINE_BREAK` follows them. */
  file(head: PartHead): Buffer {
    return this.#head(head);
  }

  end(): Buffer {
    return Buffer.from(`--${this.#boundary}--\r\n`);
  }

  #head({ name, fileName, contentType }: PartHead): Buffer {
    const file = fileName === null ? '' : `; filename="${fileName.replaceAll('"', '%22')}"`;
    const type = contentType === null ? '' : `Content-Type: ${contentType}\r\n`;
    return Buffer.from(`--${this.#boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${type}\r\n`);
  }
}

export const LINE_BREAK = Buffer.from('\r\n');
