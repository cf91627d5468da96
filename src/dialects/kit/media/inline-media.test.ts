/**
 * Goal: an image or a sound counts as one only if block, type and bytes agree, and everything else has no bound. Method: file headers made
 * byte by byte, in a body of one field.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonField } from '../../../wire/json-document.ts';
import { scanJson } from '../../../wire/json-scan.ts';
import { MediaTally } from './inline-media.ts';
import { GIF, IMAGES, jpeg, MP3, PDF, PNG, pdfAfter, wav } from './media-fixture.ts';

const ZIP = Buffer.from('PK\x03\x0400000000');
const TEXT = Buffer.from('The tide comes in twice a day.');

test('an image counts if its type is that of its bytes, bare or in a data URL, with or without escaped slashes', () => {
  for (const [type, file] of IMAGES) {
    const base64 = file.toString('base64');
    const spelled: readonly (readonly [text: string, declared: string | null])[] = [
      [base64, null],
      [base64, type],
      [`data:${type};base64,${base64}`, null],
      [`DATA:${type.toUpperCase()};charset=x;BASE64,${base64}`, type],
    ];
    for (const [text, declared] of spelled) {
      for (const json of [JSON.stringify(text), JSON.stringify(text).replaceAll('/', '\\/')]) {
        const tally = tallied(json, (document, field, to) => to.addImage(document, field, declared));
        const expected = { images: 1, audioTokens: 0, fileCharacters: 0, bytes: json.length, isBounded: true };
        assert.deepEqual({ ...tally }, expected, json.slice(0, 80));
      }
    }
  }
  const jpg = `"data:image/jpg;base64,${jpeg().toString('base64')}"`;
  assert.equal(image(jpg).isBounded, true);
});

test('an image has no bound if it is declared as something else', () => {
  const rows: readonly (readonly [what: string, type: string, file: Buffer, declared?: string])[] = [
    ['a PDF after the header of a GIF, called a PDF', 'application/pdf', pdfAfter(GIF)],
    ['a PDF after the header of a PNG, called a PDF', 'application/pdf', pdfAfter(PNG)],
    ['a PDF after the header of a JPEG, called a JPEG', 'image/jpeg', pdfAfter(jpeg(0).subarray(0, 3))],
    ['a PDF', 'image/png', PDF],
    ['an archive', 'image/png', ZIP],
    ['another image than its address says', 'image/png', GIF],
    ['another image than its block says', 'image/png', PNG, 'image/gif'],
    ['a block that says it is a PDF', 'image/png', PNG, 'application/pdf'],
    ['an address without a type', '', PNG],
    ['an unknown type', 'image/x-oracle', PNG],
    ['nothing at all', 'image/png', Buffer.alloc(0)],
    ['no more than the first bytes', 'image/png', PNG.subarray(0, 12)],
  ];
  for (const [what, type, file, declared] of rows) {
    const json = `"data:${type};base64,${file.toString('base64')}"`;
    const tally = tallied(json, (document, field, to) => to.addImage(document, field, declared ?? null));
    assert.equal(tally.isBounded, false, what);
    assert.equal(tally.images, 1, what);
  }
  const escaped = `"data:image/png;base64,\\u0069${PNG.toString('base64').slice(1)}"`;
  for (const json of [escaped, '"https://a.example/b.png"', '"data:image/png"', '"file-1"', '""', '"data:,"']) {
    assert.equal(image(json).isBounded, false, json);
  }
});

test('in a block for files only text has a bound', () => {
  for (const bytes of [PDF, ZIP, TEXT, PNG, MP3, Buffer.alloc(0)]) {
    for (const type of ['image/png', 'application/pdf', '']) {
      assert.equal(file(`"data:${type};base64,${bytes.toString('base64')}"`).isBounded, false, type);
    }
    assert.equal(file(`"${bytes.toString('base64')}"`).isBounded, false);
  }
  const lead = Buffer.alloc(1000, 'a');
  for (const bytes of [PDF, ZIP, Buffer.concat([lead, PDF]), MP3]) {
    assert.equal(file(`"data:text/plain;base64,${bytes.toString('base64')}"`).isBounded, false);
  }
  assert.equal(file('"data:text/plain,%25PDF-1.7"').isBounded, false);
  for (const json of [`"data:text/markdown;base64,${TEXT.toString('base64')}"`, '"data:text\\/plain,The%20tide"']) {
    const expected = { images: 0, audioTokens: 0, fileCharacters: 0, bytes: 0, isBounded: true };
    assert.deepEqual({ ...file(json) }, expected);
  }
});

test('a file without a bound is not estimated as text, but a URL is', () => {
  const base64 = PDF.toString('base64');
  const json = `"data:application/pdf;base64,${base64}"`;
  assert.partialDeepStrictEqual(file(json), { fileCharacters: base64.length, bytes: json.length });
  assert.partialDeepStrictEqual(file('"https://a.example/b.pdf"'), { fileCharacters: 0, bytes: 0 });
  assert.partialDeepStrictEqual(image('"https://a.example/b.png"'), { images: 1, fileCharacters: 0, bytes: 0 });
});

test('a sound has at most 32 tokens for each second that its bytes can last', () => {
  const json = JSON.stringify(MP3.toString('base64'));
  const tally = sound(json, 'mp3');
  assert.equal(tally.isBounded, true);
  // 6,204 bytes last 6.2 seconds at the lowest rate of the format.
  assert.ok(tally.audioTokens >= 6.204 * 32);
  assert.ok(tally.audioTokens <= 6.204 * 32 + 70);
  assert.equal(tally.bytes, json.length);
});

test('sounds that may be compressed far, or are declared as another type, have no bound', () => {
  const rows: readonly (readonly [string, Buffer, string | null, boolean])[] = [
    ['plain', wav(1, 16_000), 'wav', true],
    ['of floats', wav(3, 8000), 'wav', true],
    ['at a rate that makes a second of a byte', wav(1, 1), 'wav', false],
    ['compressed', wav(17, 16_000), 'wav', false],
    ['MP3 after a tag', tagged(MP3), 'mp3', true],
    ['MP3 of a free rate', Buffer.concat([Buffer.from([0xff, 0xfb, 0x00]), MP3]), 'mp3', false],
    ['FLAC after a tag', tagged(Buffer.from('fLaC00000000000000000000')), 'mp3', false],
    ['MP3 called WAV', MP3, 'wav', false],
    ['WAV called FLAC', wav(1, 16_000), 'flac', false],
    ['of no type', MP3, '', false],
    ['of no type at all', MP3, null, false],
    ['Ogg', Buffer.from(`OggS${'0'.repeat(40)}`), 'ogg', false],
    ['AAC', Buffer.concat([Buffer.from([0xff, 0xf1]), Buffer.alloc(40)]), 'mp3', false],
    ['too short to judge', MP3.subarray(0, 20), 'mp3', false],
  ];
  for (const [behaviour, bytes, format, bounded] of rows) {
    assert.equal(sound(`"${bytes.toString('base64')}"`, format).isBounded, bounded, behaviour);
  }
  const address = (type: string) => `"data:${type};base64,${MP3.toString('base64')}"`;
  assert.equal(sound(address('audio/mpeg'), null).isBounded, true);
  assert.equal(sound(address('audio/wav'), null).isBounded, false);
  assert.equal(sound(address('audio/mpeg'), 'wav').isBounded, false);
  assert.equal(sound('"https://a.example/b.mp3"', 'mp3').isBounded, false);
});

type Add = (document: ReturnType<typeof scanJson>, field: JsonField, tally: MediaTally) => void;

function tallied(json: string, add: Add): MediaTally {
  const document = scanJson(Buffer.from(`{"x":${json}}`));
  const field = document.fields.get('x');
  assert.ok(field !== undefined);
  const tally = new MediaTally();
  add(document, field, tally);
  return tally;
}

function image(json: string): MediaTally {
  return tallied(json, (document, field, tally) => tally.addImage(document, field));
}

function file(json: string): MediaTally {
  return tallied(json, (document, field, tally) => tally.addFile(document, field));
}

function sound(json: string, format: string | null): MediaTally {
  return tallied(json, (document, field, tally) => tally.addSound(document, field, format));
}

function tagged(bytes: Buffer): Buffer {
  const length = 300;
  const head = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, length >> 7, length & 0x7f]);
  return Buffer.concat([head, Buffer.alloc(length), bytes]);
}
