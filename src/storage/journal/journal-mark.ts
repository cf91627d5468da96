/**
 * How far callers know their calls to be settled, and how far the bank has them, in a small file next to the journal. If a byte of the
 * journal's log changes, SQLite takes what is before it for the whole log, and if the log or the journal is gone, for an empty one. It says
 * nothing, so the number has to be known somewhere else.
 */
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

export const MARK_FILE = 'journal.mark';

export interface Mark {
  /** Of the journal, a UUID. */
  readonly id: string;
  /** Of the machine, if what is written survives a crash of the process only; empty if it survives a power failure. */
  readonly boot: string;
  /** Callers know that the batches up to this one are settled. */
  readonly promised: number;
  /** The bank has the batches up to this one. */
  readonly sent: number;
}

/** `id` and `boot` are text of this length; then two numbers of 64 bits, and the CRC-32 of all that. */
const NAME_BYTES = 36;
const NUMBERS_AT = 2 * NAME_BYTES;
const SUM_AT = NUMBERS_AT + 16;
const MARK_BYTES = SUM_AT + 4;

/** Null if there is none that can be read: then nothing is known. */
export function readMark(folder: string): Mark | null {
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(folder, MARK_FILE));
  } catch {
    return null;
  }
  if (bytes.length !== MARK_BYTES || bytes.readUInt32LE(SUM_AT) !== crc32(bytes.subarray(0, SUM_AT))) return null;
  const name = (at: number) => bytes.toString('latin1', at, at + NAME_BYTES).trimEnd();
  return {
    id: name(0),
    boot: name(NAME_BYTES),
    promised: bytes.readDoubleLE(NUMBERS_AT),
    sent: bytes.readDoubleLE(NUMBERS_AT + 8),
  };
}

export interface JournalMarkParts {
  readonly folder: string;
  readonly id: string;
  readonly boot: string;
  /** The mark could not be written; called once until it could. Must not throw. */
  readonly onFailure: (error: unknown) => void;
}

export class JournalMark {
  readonly #parts: JournalMarkParts;
  readonly #bytes = Buffer.alloc(MARK_BYTES, ' ');
  readonly #file: number;
  #promised = 0;
  #sent = 0;
  #isFailing = false;

  /** Goes on from the mark in the folder if it is this journal's, otherwise begins a new one. Throws what the disk says if it takes none. */
  constructor(parts: JournalMarkParts) {
    const { folder, id, boot } = parts;
    this.#parts = parts;
    const known = readMark(folder);
    if (known?.id === id) ({ promised: this.#promised, sent: this.#sent } = known);
    this.#bytes.write(id.slice(0, NAME_BYTES), 0, 'latin1');
    this.#bytes.write(boot.slice(0, NAME_BYTES), NAME_BYTES, 'latin1');
    this.#file = openSync(join(folder, MARK_FILE), known === null ? 'w' : 'r+', 0o600);
    try {
      this.#write();
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
  }

  /** Call it before a caller learns that its call is settled, which is in the journal in a batch up to `through`. */
  promise(through: number, sent: number): void {
    if (through > this.#promised) this.#promised = through;
    this.#sent = sent;
    this.#note();
  }

  /** The bank has the batches up to this one. */
  sent(through: number): void {
    if (through === this.#sent || this.#promised === 0) return;
    this.#sent = through;
    this.#note();
  }

  close(): void {
    closeSync(this.#file);
  }

  /** A settlement does not depend on it: it is in the journal. */
  #note(): void {
    try {
      this.#write();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#parts.onFailure(error);
      this.#isFailing = true;
    }
  }

  /** Always over the same bytes: no space is needed once they are there. */
  #write(): void {
    const bytes = this.#bytes;
    bytes.writeDoubleLE(this.#promised, NUMBERS_AT);
    bytes.writeDoubleLE(this.#sent, NUMBERS_AT + 8);
    bytes.writeUInt32LE(crc32(bytes.subarray(0, SUM_AT)), SUM_AT);
    writeSync(this.#file, bytes, 0, MARK_BYTES, 0);
  }
}
