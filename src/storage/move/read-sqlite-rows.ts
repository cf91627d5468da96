/** Reads rows of SQLite as lines of `COPY`, in pieces that are sent one after the other. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type CopiedValue, copyLine } from '../postgres/copy/copy-text.ts';
import type { RowDigest } from './row-digest.ts';

const PIECE_CHARACTERS = 128 * 1024;

export interface SelectedRows {
  readonly select: string;
  readonly parameters?: readonly SQLInputValue[];
  /** How many of the columns, the last ones, are not part of the digest. */
  readonly further?: number;
  readonly digest: RowDigest;
}

export function* readLines(database: DatabaseSync, rows: SelectedRows): Generator<Buffer> {
  const { select, parameters = [], further = 0, digest } = rows;
  const statement = database.prepare(select);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  let piece = '';
  for (const row of statement.iterate(...parameters) as unknown as Iterable<readonly CopiedValue[]>) {
    const line = copyLine(row);
    digest.add(further === 0 ? line : copyLine(row.slice(0, -further)));
    piece += line;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  if (piece !== '') yield Buffer.from(piece);
}
