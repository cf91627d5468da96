/**
 * Goal: an image or a sound in a chat completions request counts as one if its part, its type and its bytes agree; everything else that a
 * model may read, except text, has no bound. Method: a table of parts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inboundOf } from '../../contract.ts';
import { GIF, IMAGES, jpeg, MP3, PDF, PNG, pdfAfter, wav } from '../../kit/media/media-fixture.ts';
import { openaiChat } from '../openai-chat.ts';

const data = (type: string, file: Buffer) => `data:${type};base64,${file.toString('base64')}`;
const image = (url: string, more: object = {}) => ({ type: 'image_url', image_url: { url, ...more } });
const png = data('image/png', PNG);
const sound = (file: Buffer, format: unknown) => ({
  type: 'input_audio',
  input_audio: { data: file.toString('base64'), format },
});
const file = (file_data: string) => ({ type: 'file', file: { filename: 'a', file_data } });

const bounded: readonly (readonly [what: string, part: unknown, images: number])[] = [
  ...IMAGES.map(([type, bytes]) => [`an image (${type})`, image(data(type, bytes)), 1] as const),
  ['an image with a detail', image(png, { detail: 'high' }), 1],
  ['an image in a part of no type', { image_url: { url: png } }, 1],
  ['an image that is a string', { type: 'image_url', image_url: png }, 1],
  ['an image without an address', image(PNG.toString('base64')), 1],
  ['a sound (mp3)', sound(MP3, 'mp3'), 0],
  ['a sound (wav)', sound(wav(1, 16_000), 'wav'), 0],
  ['a sound in a data URL', { type: 'input_audio', input_audio: data('audio/mpeg', MP3) }, 0],
  ['text in a file', file(data('text/plain', Buffer.from('Hello there'))), 0],
  ['text in a file, as it is', file('data:text/plain,Hello%20there'), 0],
  ['an address that is text', { type: 'text', text: 'https://a.example/b.png' }, 0],
];
for (const [what, part, images] of bounded) {
  test(`${what}: bounded`, () => {
    const { promptUnbounded, media } = peekOf(part);
    assert.equal(promptUnbounded, false);
    assert.equal(media.images, images);
  });
}

const unbounded: readonly (readonly [what: string, part: unknown])[] = [
  ['a PDF', file(data('application/pdf', PDF))],
  ['a PDF of no type', file(PDF.toString('base64'))],
  ['a PDF after the header of a GIF', file(data('application/pdf', pdfAfter(GIF)))],
  ['a PDF after the header of a PNG', file(data('application/pdf', pdfAfter(PNG)))],
  ['a PDF after the header of a JPEG', file(data('application/pdf', pdfAfter(jpeg())))],
  ['a PDF called an image in a file', file(data('image/gif', pdfAfter(GIF)))],
  ['an image in a file', file(png)],
  ['a PDF called text', file(data('text/plain', PDF))],
  ['a file by its address', file('https://a.example/b.pdf')],
  ['a PDF in a part for images', image(data('application/pdf', pdfAfter(PNG)))],
  ['a PDF called an image', image(data('image/png', PDF))],
  ['an image called another', image(data('image/png', GIF))],
  ['an image of no type', image(data('', PNG))],
  ['an image without a size', image(data('image/png', PNG.subarray(0, 12)))],
  ['an image that another field gives a type', image(png, { format: 'application/pdf' })],
  ['an image in a part for files', { type: 'file', image_url: { url: png } }],
  ['an image by its address', image('https://a.example/b.png')],
  ['an image by its address, as a string', { type: 'image_url', image_url: 'https://a.example/b.png' }],
  ['images in a list', { type: 'image_url', image_url: [{ url: png }] }],
  ['a sound without a format', sound(MP3, undefined)],
  ['a sound of another format', sound(MP3, 'wav')],
  ['a sound with other bytes', sound(Buffer.from('AAAA'), 'wav')],
  ['a sound that may be long', sound(Buffer.from(`OggS${'0'.repeat(60)}`), 'ogg')],
  ['a sound by its address', { type: 'input_audio', input_audio: 'https://a.example/b.mp3' }],
  ['a video', { type: 'video_url', video_url: { url: data('video/mp4', PNG) } }],
  ['a document', { type: 'document_url', document_url: png }],
  ['an image in an unknown field', { type: 'image', image: png }],
  ['an image as another format has it', { type: 'image', source: { type: 'base64', data: PNG.toString('base64') } }],
  ['bytes', { type: 'image', image: { bytes: 'AAAA' } }],
];
for (const [what, part] of unbounded) {
  test(`${what}: unbounded`, () => {
    assert.equal(peekOf(part).promptUnbounded, true);
    assert.equal(peekOf({ type: 'tool_result', content: [part] }).promptUnbounded, true);
  });
}

test('a part that can be read in two ways is unbounded', () => {
  for (const part of [
    `{"type":"image_url","type":"file","image_url":{"url":"${png}"}}`,
    `{"type":"image_url","image_url":{"\\u0075rl":"${png}"}}`,
    `{"type":"image_url","image_url":{"url":"${png}","url":"${png}"}}`,
    `{"type":"image_url","image_url":{"url":"data:image/png;base64,\\u0069${PNG.toString('base64').slice(1)}"}}`,
    `{"type":"input_audio","input_audio":{"data":"${MP3.toString('base64')}","format":"mp3","format":"ogg"}}`,
  ]) {
    const body = `{"model":"x","messages":[{"role":"user","content":[${part}]}]}`;
    assert.equal(openaiChat.peek(inboundOf(openaiChat, body)).promptUnbounded, true, part.slice(0, 80));
  }
});

test('images of an earlier answer, and content that is not a list, are checked too', () => {
  const ask = (message: object) =>
    openaiChat.peek(inboundOf(openaiChat, JSON.stringify({ model: 'x', messages: [message] }))).promptUnbounded;
  assert.equal(ask({ role: 'assistant', images: [image('https://a.example/b')] }), true);
  assert.equal(ask({ role: 'user', content: image('https://a.example/b') }), true);
  assert.equal(ask({ role: 'assistant', images: [image(png)] }), false);
});

test('nested blocks are not walked without end', () => {
  const deep = (depth: number): object =>
    depth === 0 ? image(png) : { type: 'x', content: [deep(depth - 1)], image_url: {} };
  const parts = Array.from({ length: 1500 }, () => ({ ...image(png), note: 'x'.repeat(8000) }));
  assert.equal(peekOf(...parts).promptUnbounded, true);
  assert.equal(peekOf(deep(40)).promptUnbounded, true);
});

function peekOf(...content: unknown[]) {
  return openaiChat.peek(inboundOf(openaiChat, JSON.stringify({ model: 'x', messages: [{ role: 'user', content }] })));
}
