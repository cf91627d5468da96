/**
 * A file that arrives in a form: cut into chunks that are stored one after the other. While one is written, nothing more is read, so a file
 * arrives as fast as the storage takes it and has two chunks in memory.
 */
import type { IncomingMessage } from 'node:http';
import { assert } from '../../core/assert.ts';
import { NO_INDEX } from '../../core/dense-set.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Ending } from '../../core/settlement.ts';
import { FILE_FIELD, type FormRules } from '../../dialects/interface/form.ts';
import type { CallersFiles, FileLimits } from '../../files/callers-files.ts';
import { fileTooLarge, spaceExceeded } from '../../files/file-errors.ts';
import type { NewFile } from '../../files/new-file.ts';
import type { FileRow } from '../../files/ports.ts';
import { MultipartReader, malformed } from '../../wire/multipart/multipart-reader.ts';
import { cutReason } from '../cut-error.ts';
import type { Identified } from '../phases.ts';
import { ArrivalPace } from '../uploads/arrival-pace.ts';
import { FormParts } from '../uploads/form-parts.ts';
import { tooSlow } from '../uploads/upload-errors.ts';
import type { Watch, Watched } from '../watch.ts';
import { checkField, readExpiry } from './upload-fields.ts';

export interface ArrivingPorts {
  readonly clock: { monotonic(): number };
  readonly files: Pick<CallersFiles, 'begin'>;
  readonly limits: FileLimits;
  readonly timeouts: { readonly totalMs: number };
  readonly watch: Watch;
}

export const CHUNK_BYTES = 256 * 1024;
const NAME_LENGTH_MAX = 255;
/** Whether a field is missing is found at the end: the file may come first. */
const RULES: FormRules = { files: new Map([[FILE_FIELD, 1]]), needs: [], firstBytes: 0, orJson: false };
/** What a form may have besides its file. */
export const FORM_BYTES_MAX = 1024 * 1024;

export class ArrivingFile implements Watched {
  index = NO_INDEX;
  readonly #ports: ArrivingPorts;
  readonly #call: Identified;
  readonly #request: IncomingMessage;
  readonly #declared: number | null;
  readonly #over: { resolve(): void; reject(error: unknown): void };
  readonly #reader: MultipartReader;
  readonly #parts: FormParts;
  readonly #pace: ArrivalPace;
  #received = 0;
  #fileBytes = 0;
  #checkedFields = 0;
  /** Full, and not written yet. */
  readonly #full: Buffer[] = [];
  #chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  #chunkBytes = 0;
  #file: NewFile | null = null;
  #isEnded = false;
  #isWriting = false;
  #failure: { readonly error: unknown } | null = null;

  /** Starts at once; `resolve` when all of it has arrived and its full chunks are stored, or `reject`, when no more is written. */
  constructor(
    ports: ArrivingPorts,
    call: Identified,
    form: { readonly boundary: string; readonly declared: number | null },
    over: { resolve(): void; reject(error: unknown): void },
  ) {
    this.#ports = ports;
    this.#call = call;
    this.#request = call.request;
    this.#declared = form.declared;
    this.#over = over;
    this.#parts = new FormParts(RULES, { add: (bytes) => this.#take(bytes), endFile: () => undefined }, false);
    this.#reader = new MultipartReader(form.boundary, this.#parts);
    this.#pace = new ArrivalPace(ports.clock.monotonic());
    call.active = this;
    ports.watch.add(this);
    this.#request.on('data', this.#onData).on('end', this.#onEnd);
  }

  /** After `resolve`: stores the rest, and makes it a file that can be used. Throws `GatewayError` 400 for a form that lacks something. */
  async complete(): Promise<FileRow> {
    const { fields, files } = this.#parts;
    readExpiry(fields, 0);
    if (files.length === 0)
      throw new GatewayError('missing_field', { message: 'Send the file as "file".', param: 'file' });
    if (this.#fileBytes === 0)
      throw new GatewayError('invalid_value', { message: 'The file is empty.', param: 'file' });
    const begun = await this.#begin();
    if (this.#chunkBytes > 0) await begun.write(this.#chunk.subarray(0, this.#chunkBytes));
    return begun.complete(readExpiry(fields, begun.row.createdAt) ?? begun.row.expiresAt);
  }

  /** What is left if that fails is listed nowhere, and deleted with what has expired. */
  async discard(): Promise<void> {
    await this.#file?.discard().catch(() => undefined);
  }

  cancel(ending: Ending): void {
    this.#fail(cutReason(ending));
  }

  check(nowMs: number): void {
    if (nowMs - this.#call.startedAt >= this.#ports.timeouts.totalMs)
      return this.#fail(tooSlow('within the maximum duration of a call'));
    // Until a chunk is written, nobody waits for the caller.
    if (this.#isWriting) return this.#pace.restart(nowMs, this.#received);
    const stalled = this.#pace.check(nowMs, this.#received);
    if (stalled !== null) this.#fail(stalled);
  }

  readonly #onData = (bytes: Buffer): void => {
    this.#received += bytes.length;
    try {
      if (this.#received - this.#fileBytes - bytes.length > FORM_BYTES_MAX)
        throw malformed('it has too much besides its file');
      this.#reader.feed(bytes);
      const { fields } = this.#parts;
      for (const field of fields.slice(this.#checkedFields)) checkField(field);
      this.#checkedFields = fields.length;
    } catch (error) {
      return this.#fail(error);
    }
    if (this.#full.length > 0) void this.#writeFull();
  };

  readonly #onEnd = (): void => {
    try {
      this.#reader.finish();
    } catch (error) {
      return this.#fail(error);
    }
    this.#isEnded = true;
    this.#settle();
  };

  #take(bytes: Buffer): void {
    this.#fileBytes += bytes.length;
    this.#checkSize();
    for (let at = 0; at < bytes.length; ) {
      const length = Math.min(bytes.length - at, CHUNK_BYTES - this.#chunkBytes);
      bytes.copy(this.#chunk, this.#chunkBytes, at, at + length);
      at += length;
      this.#chunkBytes += length;
      if (this.#chunkBytes < CHUNK_BYTES) continue;
      this.#full.push(this.#chunk);
      this.#chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES);
      this.#chunkBytes = 0;
    }
  }

  #checkSize(): void {
    const { fileBytesMax, accountFilesBytesMax } = this.#ports.limits;
    if (this.#fileBytes > fileBytesMax) throw fileTooLarge(fileBytesMax);
    if (this.#file !== null && this.#fileBytes > this.#file.row.bytes) throw spaceExceeded(accountFilesBytesMax);
  }

  async #writeFull(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    this.#request.pause();
    try {
      for (let chunk = this.#full.shift(); chunk !== undefined && this.#failure === null; chunk = this.#full.shift())
        await (await this.#begin()).write(chunk);
    } catch (error) {
      this.#failure ??= { error };
    }
    this.#isWriting = false;
    this.#pace.restart(this.#ports.clock.monotonic(), this.#received);
    this.#settle();
    if (this.#failure === null && !this.#isEnded) this.#request.resume();
  }

  /** Once the name of the file is known, because the first of it has arrived. */
  async #begin(): Promise<NewFile> {
    const name = this.#parts.files[0]?.head.fileName ?? null;
    assert(name !== null, 'the bytes of a file come after its head');
    if (name.length > NAME_LENGTH_MAX)
      throw new GatewayError('invalid_value', {
        message: `The name of a file may have at most ${NAME_LENGTH_MAX} characters.`,
        param: 'file',
      });
    const { accountId, projectId } = this.#call.key;
    const { fileBytesMax } = this.#ports.limits;
    const bytesMax = this.#declared === null ? null : Math.min(this.#declared, fileBytesMax);
    this.#file ??= await this.#ports.files.begin(
      { accountId, projectId, name: name === '' ? 'file' : name, bytesMax },
      this.#ports.limits,
    );
    this.#checkSize();
    return this.#file;
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    this.#settle();
  }

  /** Waits for the last write: only then can all that was written be deleted. */
  #settle(): void {
    if (this.#isWriting || (this.#failure === null && !this.#isEnded)) return;
    const { watch } = this.#ports;
    if (this.#call.active === this) this.#call.active = null;
    watch.delete(this);
    this.#request.off('data', this.#onData).off('end', this.#onEnd);
    if (this.#failure === null) return this.#over.resolve();
    if (!this.#request.complete) this.#request.pause();
    this.#over.reject(this.#failure.error);
  }
}
