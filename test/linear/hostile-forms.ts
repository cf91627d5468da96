/** Forms that nobody sends by accident: how each part of one can be repeated, or be almost what ends it. */
import { EventEmitter } from 'node:events';
import { GatewayError } from '../../src/core/errors.ts';
import { accountId, projectId } from '../../src/core/ids.ts';
import type { FormRules } from '../../src/dialects/interface/form.ts';
import { parts } from '../../src/dialects/openai-chat/operations/index.ts';
import { ArrivingFile, type ArrivingPorts } from '../../src/gateway/files/arriving-file.ts';
import type { Identified } from '../../src/gateway/phases.ts';
import { ArrivingForm } from '../../src/gateway/uploads/arriving-form.ts';
import { readBoundary } from '../../src/wire/multipart/read-boundary.ts';
import { type Random, times } from './hostile-values.ts';
import type { Stages } from './stages.ts';

interface FormFamily {
  readonly name: string;
  write(random: Random, size: number): string | Buffer;
}

const BOUNDARY = 'b'.repeat(60);
const FILE = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.mp3"\r\n\r\n`;
const END = `\r\n--${BOUNDARY}--\r\n`;
const field = (name: string, value: string, more = '') =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const image = (bytes: string) => field('image[]', bytes, '; filename="a.png"');
const images = (all: string) => Buffer.from(`${field('prompt', 'x')}${all}--${BOUNDARY}--\r\n`, 'latin1');
const file = (bytes: string) => `${FILE}${bytes}${END}`;

export const FORM_FAMILIES: readonly FormFamily[] = [
  { name: 'many parts', write: (_random, size) => times(size, (at) => field(`f${at}`, 'x')).replaceAll(',', '') + END },
  { name: 'a long field', write: (_random, size) => field('prompt', 'x'.repeat(size * 100)) + END },
  { name: 'many parameters', write: (_random, size) => field('a', 'x', `; ${'b=c; '.repeat(size)}`) + END },
  { name: 'many quotes', write: (_random, size) => field('a', 'x', `; filename="${'\\"'.repeat(size * 4)}"`) + END },
  { name: 'a header without end', write: (_random, size) => `--${BOUNDARY}\r\n${'a: b\r\n'.repeat(size * 10)}` },
  { name: 'line breaks before it', write: (_random, size) => '\r\n'.repeat(size * 40) + file('x') },
  { name: 'carriage returns in a file', write: (_random, size) => file('\r'.repeat(size * 100)) },
  { name: 'files in a row', write: (_random, size) => times(size, () => file('x')).replaceAll(',', '') },
  {
    name: 'fields of an upload',
    write: (_random, size) =>
      times(size, () => field('expires_after[seconds]', '3600')).replaceAll(',', '') + file('x'),
  },
  { name: 'almost boundaries in a file', write: (_random, size) => file(`\r\n--${BOUNDARY.slice(1)}a`.repeat(size)) },
  { name: 'letters of the boundary in a file', write: (_random, size) => file('b'.repeat(size * 100)) },
  {
    name: 'many images',
    write: (_random, size) => images(times(size, () => image('\x89PNG\r\n')).replaceAll(',', '')),
  },
  {
    name: 'segments of a photograph',
    write: (_random, size) => images(image(`\xff\xd8${'\xff\xe1\0\x02'.repeat(size * 20)}`)),
  },
  {
    name: 'padded segments of a photograph',
    write: (_random, size) => images(image(`\xff\xd8${'\xff'.repeat(size * 100)}`)),
  },
];

/** As the socket delivers it, and in pieces of a few bytes. */
export function formStages(bytes: Buffer): Stages {
  return {
    'read a form': () => readIn('transcriptions', bytes, 16 * 1024),
    'read a form in small pieces': () => readIn('transcriptions', bytes, 7),
    'read a form of images': () => readIn('image_edits', bytes, 16 * 1024),
    'read a form of images in small pieces': () => readIn('image_edits', bytes, 7),
    'take an upload': () => takeFile(bytes, 16 * 1024),
    'take an upload in small pieces': () => takeFile(bytes, 7),
    'read a boundary': () => readBoundary(`multipart/form-data; boundary=${bytes.toString('latin1')}`),
  };
}

/** As much as has arrived: a storage that never answers keeps none of it from being read. */
function takeFile(bytes: Buffer, piece: number): void {
  const request = Object.assign(new EventEmitter(), {
    complete: true,
    pause: () => undefined,
    resume: () => undefined,
  });
  const call = { request, active: null, startedAt: 0, key: { accountId: accountId(1), projectId: projectId(1) } };
  const bytesMax = Number.MAX_SAFE_INTEGER;
  const ports: ArrivingPorts = {
    clock: { monotonic: () => 0 },
    files: { begin: () => new Promise(() => undefined) },
    limits: { fileBytesMax: bytesMax, accountFilesBytesMax: bytesMax, accountFilesMax: 1 },
    timeouts: { totalMs: bytesMax },
    watch: { add: () => undefined, delete: () => undefined } as unknown as ArrivingPorts['watch'],
  };
  const over = { resolve: () => undefined, reject: () => undefined };
  const form = { boundary: BOUNDARY, declared: null };
  new ArrivingFile(ports, call as unknown as Identified, form, over);
  for (let at = 0; at < bytes.length && request.listenerCount('data') > 0; at += piece)
    request.emit('data', bytes.subarray(at, at + piece));
  request.emit('end');
}

function readIn(name: 'transcriptions' | 'image_edits', bytes: Buffer, piece: number): void {
  const frame = { boundary: BOUNDARY, declared: null, bytesMax: Number.MAX_SAFE_INTEGER };
  const form = new ArrivingForm(parts[name].form as FormRules, frame, true);
  try {
    for (let at = 0; at < bytes.length; at += piece) form.feed(bytes.subarray(at, at + piece));
    form.finish();
    form.describe();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
  }
}
