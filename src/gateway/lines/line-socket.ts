/**
 * The two ends of a connection within this process, on which a line's request and its answer pass: each end reads what the other one
 * writes, no faster than it is taken. Where the gateway asks a socket of a caller for something, this has it, too.
 */
import { Duplex } from 'node:stream';
import type { Line } from './line.ts';

export class LineSocket extends Duplex {
  /** Null at the end that asks. */
  readonly line: Line | null;
  /** As of a caller's socket: the address of the caller that made the batch. */
  readonly remoteAddress: string | undefined;
  /** As of a caller's socket: what the other end has been given. */
  bytesWritten = 0;
  #other: LineSocket | null = null;
  /** Set while the other end has not yet taken what was written. */
  #taken: (() => void) | null = null;

  private constructor(line: Line | null) {
    super();
    this.line = line;
    this.remoteAddress = line?.address ?? undefined;
  }

  static pair(line: Line): { readonly asks: LineSocket; readonly serves: LineSocket } {
    const asks = new LineSocket(null);
    const serves = new LineSocket(line);
    asks.#other = serves;
    serves.#other = asks;
    return { asks, serves };
  }

  override _read(): void {
    const other = this.#other;
    if (other === null || other.#taken === null) return;
    const taken = other.#taken;
    other.#taken = null;
    taken();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const other = this.#other;
    if (other === null || other.destroyed) return done();
    this.bytesWritten += chunk.length;
    if (chunk.length === 0) return done();
    if (other.push(chunk)) return done();
    this.#taken = done;
  }

  override _final(done: () => void): void {
    this.#other?.push(null);
    done();
  }

  /** A connection that breaks breaks at both ends. */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const other = this.#other;
    this.#other = null;
    const taken = this.#taken;
    this.#taken = null;
    taken?.();
    done(error);
    if (other === null || other.destroyed) return;
    // What was written before must be read first.
    if (this.writableFinished) other.push(null);
    else setImmediate(() => other.destroy());
  }
}
