/**
 * Goal: what is counted as an image or a sound is one, and everything else has no bound. Method: heads of files made
 * here byte by byte, in a body of one field.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scanJson } from '../wire/json-scan.ts';
import { MediaTally } from './inline-media.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n0000', 'latin1');
const JPEG = Buffer.from('\xff\xd8\xff\xe0\0\x10JFIF\0\x01', 'latin1');
const GIF = Buffer.from('GIF89a000000', 'latin1');
const WEBP = Buffer.from('RIFF0000WEBPVP8 ', 'latin1');
const PDF = Buffer.from('%PDF-1.7\n0000');
const ZIP = Buffer.from('PK\x03\x0400000000');
const TEXT = Buffer.from('The tide comes in twice a day.');
const MP3 = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x44]), Buffer.alloc(6200)]);

test('images are known by their bytes, bare or behind an address, with or without escaped slashes', () => {
  for (const file of [PNG, JPEG, GIF, WEBP]) {
    const base64 = file.toString('base64');
    for (const text of [base64, `data:image/png;base64,${base64}`, `DATA:;charset=x;BASE64,${base64}`]) {
      for (const json of [JSON.stringify(text), JSON.stringify(text).replaceAll('/', '\\/')]) {
        const tally = new MediaTally();
        assert.equal(addFile(tally, json), true, json);
        assert.deepEqual({ ...tally }, { images: 1, audioTokens: 0, bytes: json.length }, json);
      }
    }
  }
});

test('what is no image and no text has no bound, whatever it is called', () => {
  for (const file of [PDF, ZIP, TEXT, Buffer.alloc(0), MP3]) {
    for (const type of ['image/png', 'application/pdf', '']) {
      assert.equal(addFile(new MediaTally(), `"data:${type};base64,${file.toString('base64')}"`), false);
    }
    assert.equal(addFile(new MediaTally(), `"${file.toString('base64')}"`), false);
  }
  for (const file of [PDF, ZIP]) {
    assert.equal(addFile(new MediaTally(), `"data:text/plain;base64,${file.toString('base64')}"`), false);
  }
  const escaped = `"data:image/png;base64,\\u0069${PNG.toString('base64').slice(1)}"`;
  for (const json of [escaped, '"https://a.example/b.png"', '"data:image/png"', '"file-1"', '""', '"data:,"']) {
    assert.equal(addFile(new MediaTally(), json), false, json);
  }
});

test('text in an address is left among the bytes of the body', () => {
  for (const json of [`"data:text/markdown;base64,${TEXT.toString('base64')}"`, '"data:text\\/plain,The%20tide"']) {
    const tally = new MediaTally();
    assert.equal(addFile(tally, json), true);
    assert.deepEqual({ ...tally }, { images: 0, audioTokens: 0, bytes: 0 });
  }
});

test('a sound is at most 32 tokens for each second that its bytes can last', () => {
  const tally = new MediaTally();
  const json = JSON.stringify(MP3.toString('base64'));
  assert.equal(addAudio(tally, json), true);
  // 6,204 bytes last 6.2 seconds at the lowest rate of the format.
  assert.ok(tally.audioTokens >= 6.204 * 32);
  assert.ok(tally.audioTokens <= 6.204 * 32 + 70);
  assert.equal(tally.bytes, json.length);
});

test('sounds that may pack much into little have no bound', () => {
  const rows: readonly (readonly [string, Buffer, boolean])[] = [
    ['plain', wav(1, 16_000), true],
    ['of floats', wav(3, 8000), true],
    ['at a rate that makes a second of a byte', wav(1, 1), false],
    ['compressed', wav(17, 16_000), false],
    ['MP3 behind a tag', tagged(MP3), true],
    ['FLAC behind a tag', tagged(Buffer.from('fLaC00000000000000000000')), false],
    ['Ogg', Buffer.from(`OggS${'0'.repeat(40)}`), false],
    ['AAC', Buffer.concat([Buffer.from([0xff, 0xf1]), Buffer.alloc(40)]), false],
    ['too short to tell', MP3.subarray(0, 20), false],
  ];
  for (const [behaviour, file, bounded] of rows) {
    assert.equal(addAudio(new MediaTally(), `"${file.toString('base64')}"`), bounded, behaviour);
  }
  assert.equal(addAudio(new MediaTally(), '"https://a.example/b.mp3"'), false);
});

function addFile(tally: MediaTally, json: string): boolean {
  const document = scanJson(Buffer.from(`{"x":${json}}`));
  const field = document.fields.get('x');
  assert.ok(field !== undefined);
  return tally.addFile(document, field);
}

function addAudio(tally: MediaTally, json: string): boolean {
  const document = scanJson(Buffer.from(`{"x":${json}}`));
  const field = document.fields.get('x');
  assert.ok(field !== undefined);
  return tally.addAudio(document, field);
}

function wav(format: number, sampleRate: number): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF0000WAVEfmt ', 'latin1');
  head.writeUInt16LE(format, 20);
  head.writeUInt32LE(sampleRate, 24);
  return head;
}

function tagged(sound: Buffer): Buffer {
  const length = 300;
  const head = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, length >> 7, length & 0x7f]);
  return Buffer.concat([head, Buffer.alloc(length), sound]);
}
