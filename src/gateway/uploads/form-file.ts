/** One file of a form as it arrives: its head, and what is known of its bytes, which go elsewhere. */
import { createHash, type Hash } from 'node:crypto';
import type { DescribedFile, FileInspector } from '../../dialects/interface/form.ts';
import type { PartHead } from '../../wire/multipart/part-head.ts';

export class FormFile {
  readonly head: PartHead;
  bytes = 0;
  isComplete = false;
  readonly #inspector: FileInspector | null;
  readonly #hash: Hash | null;
  #sha256: string | null = null;

  /** `isHashed`: whether its digest is wanted. */
  constructor(head: PartHead, inspector: FileInspector | null, isHashed: boolean) {
    this.head = head;
    this.#inspector = inspector;
    this.#hash = isHashed ? createHash('sha256') : null;
  }

  add(bytes: Buffer): void {
    this.bytes += bytes.length;
    this.#hash?.update(bytes);
    this.#inspector?.feed(bytes);
  }

  end(): void {
    this.isComplete = true;
    this.#inspector?.end();
    this.#sha256 = this.#hash?.digest('hex') ?? null;
  }

  /** `bytesMax`: of all of it, while it arrives. */
  describe(bytesMax: number): DescribedFile {
    const { fileName, contentType } = this.head;
    const image = this.#inspector?.image ?? null;
    return {
      filename: fileName ?? '',
      ...(contentType !== null && { content_type: contentType }),
      ...(this.isComplete ? { bytes: this.bytes } : { bytes_max: Math.max(this.bytes, bytesMax) }),
      ...(image !== null && { image_type: image }),
      ...(this.#sha256 !== null && { sha256: this.#sha256 }),
    };
  }
}
