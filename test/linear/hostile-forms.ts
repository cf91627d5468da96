/** Forms that nobody sends by accident: how each part of one can be repeated, or be almost what ends it. */
import { GatewayError } from '../../src/core/errors.ts';
import { FormParts } from '../../src/gateway/uploads/form-parts.ts';
import { HeldPieces } from '../../src/gateway/uploads/held-pieces.ts';
import { MultipartReader } from '../../src/wire/multipart/multipart-reader.ts';
import { readBoundary } from '../../src/wire/multipart/read-boundary.ts';
import { type Random, times } from './hostile-values.ts';
import type { Stages } from './stages.ts';

interface FormFamily {
  readonly name: string;
  write(random: Random, size: number): string;
}

const BOUNDARY = 'b'.repeat(60);
const FILE = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.mp3"\r\n\r\n`;
const END = `\r\n--${BOUNDARY}--\r\n`;
const field = (name: string, value: string, more = '') =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const file = (bytes: string) => `${FILE}${bytes}${END}`;

export const FORM_FAMILIES: readonly FormFamily[] = [
  { name: 'many parts', write: (_random, size) => times(size, (at) => field(`f${at}`, 'x')).replaceAll(',', '') + END },
  { name: 'a long field', write: (_random, size) => field('prompt', 'x'.repeat(size * 100)) + END },
  { name: 'many parameters', write: (_random, size) => field('a', 'x', `; ${'b=c; '.repeat(size)}`) + END },
  { name: 'many quotes', write: (_random, size) => field('a', 'x', `; filename="${'\\"'.repeat(size * 4)}"`) + END },
  { name: 'a header without end', write: (_random, size) => `--${BOUNDARY}\r\n${'a: b\r\n'.repeat(size * 10)}` },
  { name: 'line breaks before it', write: (_random, size) => '\r\n'.repeat(size * 40) + file('x') },
  { name: 'carriage returns in a file', write: (_random, size) => file('\r'.repeat(size * 100)) },
  { name: 'almost boundaries in a file', write: (_random, size) => file(`\r\n--${BOUNDARY.slice(1)}a`.repeat(size)) },
  { name: 'letters of the boundary in a file', write: (_random, size) => file('b'.repeat(size * 100)) },
];

/** As the socket delivers it, and in pieces of a few bytes. */
export function formStages(bytes: Buffer): Stages {
  return {
    'read a form': () => readIn(bytes, 16 * 1024),
    'read a form in small pieces': () => readIn(bytes, 7),
    'read a boundary': () => readBoundary(`multipart/form-data; boundary=${bytes.toString('latin1')}`),
  };
}

function readIn(bytes: Buffer, piece: number): void {
  const held = new HeldPieces();
  const reader = new MultipartReader(BOUNDARY, new FormParts((part) => held.add(part)));
  try {
    for (let at = 0; at < bytes.length; at += piece) reader.feed(bytes.subarray(at, at + piece));
    reader.finish();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
  }
}
