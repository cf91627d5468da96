/**
 * Goal: an image in a Messages request counts as one if its block, its type and its bytes agree; everything else that a model may read,
 * except text, has no bound. Method: a table of blocks.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GIF, jpeg, MP3, PDF, PNG, pdfAfter } from '../../kit/media/media-fixture.ts';
import { inboundOf, leastRequest } from '../fixtures/read-fixture.ts';
import { peek } from './peek.ts';

const base64 = (media_type: string, file: Buffer) => ({ type: 'base64', media_type, data: file.toString('base64') });
const image = { type: 'image', source: base64('image/png', PNG) };
const address = { type: 'url', url: 'https://tides.example/a' };
const text = { type: 'text', media_type: 'text/plain', data: PNG.toString('base64') };

const bounded: readonly (readonly [what: string, block: unknown, images: number])[] = [
  ['an image', image, 1],
  ['an image in a tool result', { type: 'tool_result', tool_use_id: 't', content: [image] }, 1],
  ['an image in a document', { type: 'document', source: { type: 'content', content: [image, image] } }, 2],
  ['text in a document, though it looks like an image', { type: 'document', source: text }, 0],
  ['a search result', { type: 'search_result', source: 'https://tides.example', title: 'x', content: [] }, 0],
  ['a search result with its type last', { source: 'https://tides.example', content: [], type: 'search_result' }, 0],
  [
    'a citation of a search result',
    { type: 'text', text: 'x', citations: [{ type: 'search_result_location', source: 'https://tides.example' }] },
    0,
  ],
  [
    'a source that is an argument',
    { type: 'tool_use', id: 't', name: 'x', input: { source: address, image_url: 'x' } },
    0,
  ],
  ['no source', { type: 'image', source: null }, 0],
];
for (const [what, block, images] of bounded) {
  test(`${what}: bounded`, () => {
    const { promptUnbounded, media } = peekOf([block]);
    assert.equal(promptUnbounded, false);
    assert.partialDeepStrictEqual(media, { images, bytes: images * (image.source.data.length + '""'.length) });
  });
}

const unbounded: readonly (readonly [what: string, block: unknown])[] = [
  ['a PDF', { type: 'document', source: base64('application/pdf', PDF) }],
  ['a PDF after the header of a GIF', { type: 'document', source: base64('application/pdf', pdfAfter(GIF)) }],
  ['a PDF after the header of a PNG', { type: 'document', source: base64('application/pdf', pdfAfter(PNG)) }],
  ['a PDF after the header of a JPEG', { type: 'document', source: base64('application/pdf', pdfAfter(jpeg())) }],
  ['a PDF called an image in a block for documents', { type: 'document', source: base64('image/gif', pdfAfter(GIF)) }],
  ['an image in a block for documents', { type: 'document', source: base64('image/png', PNG) }],
  ['a PDF in a block for images', { type: 'image', source: base64('application/pdf', pdfAfter(PNG)) }],
  ['an image called another', { type: 'image', source: base64('image/gif', PNG) }],
  ['an image of no type', { type: 'image', source: { type: 'base64', data: PNG.toString('base64') } }],
  ['an image without a size', { type: 'image', source: base64('image/png', PNG.subarray(0, 12)) }],
  ['an image in a block of no type', { source: base64('image/png', PNG) }],
  ['an image in a block of another type', { type: 'file', source: base64('image/png', PNG) }],
  ['a sound', { type: 'audio', source: base64('audio/mpeg', MP3) }],
  ['an image by address', { type: 'image', source: address }],
  [
    'a document by address in a tool result',
    { type: 'tool_result', tool_use_id: 't', content: [{ type: 'document', source: address }] },
  ],
  ['a file by its id', { type: 'image', source: { type: 'oracle', data: PNG.toString('base64') } }],
  ['text in a block for images', { type: 'image', source: text }],
  ['an address in a block for images', { type: 'image', source: 'https://tides.example/a.png' }],
  ['a list of sources', { type: 'image', source: [address] }],
  ['a part of another format', { type: 'image_url', image_url: { url: 'https://tides.example/a.png' } }],
  ['a sound of another format', { type: 'input_audio', input_audio: { data: MP3.toString('base64'), format: 'mp3' } }],
  ['a file of another format', { type: 'file', file: { file_data: PDF.toString('base64') } }],
];
for (const [what, block] of unbounded) {
  test(`${what}: unbounded`, () => assert.equal(peekOf([block]).promptUnbounded, true));
}

test('a block with a duplicate type, or an escape in its type, is unbounded', () => {
  const source = JSON.stringify(image.source);
  for (const block of [
    `{"type":"image","source":${source},"type":"document"}`,
    `{"t\\u0079pe":"document","source":${source},"type":"image"}`,
    `{"type":"im\\u0061ge","source":${source}}`,
  ]) {
    const body = `{"model":"a","max_tokens":1,"messages":[{"role":"user","content":[${block}]}]}`;
    assert.equal(peek(inboundOf(body)).promptUnbounded, true, block);
  }
});

test('nested sources are not followed without end', () => {
  let source = '{"type":"content","content":[]}';
  for (let depth = 0; depth < 30; depth += 1) {
    source = `{"type":"content","content":[{"type":"document","source":${source}}]}`;
  }
  const block = `{"type":"document","source":${source}}`;
  const body = `{"model":"a","max_tokens":1,"messages":[{"role":"user","content":[${block}]}]}`;
  assert.equal(peek(inboundOf(body)).promptUnbounded, true);
});

function peekOf(content: unknown) {
  return peek(inboundOf({ ...leastRequest, messages: [{ role: 'user', content }] }));
}
