/**
 * Goal: images and files arrive with the type of their bytes. Method: the first bytes of real formats with correct and wrong media types.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GatewayError } from '../../../core/errors.ts';
import { readContent } from './read-content.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\n0000', 'latin1').toString('base64');
const JPEG = Buffer.from('\xff\xd8\xff\xe0000000', 'latin1').toString('base64');
const GIF = Buffer.from('GIF89a000000').toString('base64');
const WEBP = Buffer.from('RIFF0000WEBPVP8 ').toString('base64');
const PDF = Buffer.from('%PDF-1.7 000').toString('base64');

test('the bytes of an image decide its type, whatever its URL says', () => {
  const rows: readonly (readonly [string, string])[] = [
    [`data:image/jpeg;base64,${PNG}`, 'image/png'],
    [`DATA:;base64,${JPEG}`, 'image/jpeg'],
    [`data:application/octet-stream;base64,${GIF}`, 'image/gif'],
    [`data:image/png;name=x.png;base64,${WEBP}`, 'image/webp'],
    ['data:image/jpg;base64,AAAA', 'image/jpeg'],
    ['data:image/svg+xml,%3Csvg%2F%3E', 'image/svg+xml'],
  ];
  for (const [url, mediaType] of rows) {
    const block = one({ type: 'image_url', image_url: { url, detail: 'low' } });
    assert.ok(block.type === 'image' && block.source.type === 'base64', url);
    assert.deepEqual([block.source.mediaType, block.detail], [mediaType, 'low']);
  }
});

test('a URL stays a URL', () => {
  const url = 'https://pictures.example/a.png';
  for (const image_url of [url, { url }]) {
    const source = { type: 'url', url };
    assert.deepEqual(one({ type: 'image_url', image_url }), { type: 'image', source, detail: null, cache: null });
  }
});

test('a PDF is a document, even if sent as an image', () => {
  const source = { type: 'base64', mediaType: 'application/pdf', data: PDF };
  const document = { type: 'document', source, name: null, context: null, citations: false, cache: null };
  assert.deepEqual(one({ type: 'image_url', image_url: `data:image/png;base64,${PDF}` }), document);
  for (const file_data of [`data:application/pdf;base64,${PDF}`, PDF]) {
    assert.deepEqual(one({ type: 'file', file: { file_data, filename: 'a.pdf' } }), { ...document, name: 'a.pdf' });
  }
});

test('a file of text is text, and a file that is an image an image', () => {
  const file_data = `data:text/csv;base64,${Buffer.from('a;é').toString('base64')}`;
  const block = one({ type: 'file', file: { file_data, filename: 'a.csv' } });
  assert.deepEqual(block.type === 'document' && block.source, { type: 'text', text: 'a;é' });
  assert.equal(one({ type: 'file', file: { file_data: `data:;base64,${PNG}` } }).type, 'image');
});

test('what is neither an image nor a file is refused', () => {
  for (const url of ['', 'data:', 'data:image/png;base64,', `data:text/plain;base64,${'AAAA'}`, 'data:,%', PNG]) {
    assert.throws(
      () => one({ type: 'image_url', image_url: { url } }),
      (error) => error instanceof GatewayError && error.param === 'messages[0].content[0].image_url.url',
      url,
    );
  }
});

function one(part: object) {
  const allowed = ['text', 'image', 'document', 'audio'] as const;
  const blocks = readContent([part], 'messages[0].content', allowed, new Set());
  assert.equal(blocks.length, 1);
  return blocks[0] as (typeof blocks)[number];
}
