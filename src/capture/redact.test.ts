/** Goal: secrets are redacted wherever they are, even across the pieces of a stream, and nothing else is; media become a note. Method: tables, and texts made to take long. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BODY_BYTES_MAX } from './call-capture.ts';
import { collapseMedia } from './collapse-media.ts';
import { prepareBody } from './prepare-body.ts';
import { redact } from './redact.ts';

const OURS = `sk-tp-${'Ab3'.repeat(16)}x`;

const found: readonly [name: string, text: string, redacted: string][] = [
  ['an address', 'write to ada.lovelace+x@mail.example.org.', 'write to [e-mail address].'],
  ['an address in another script', 'an élise@exämple.fr da', 'an [e-mail address] da'],
  ['an address after an escape', '{"a":"Dear\\nada@example.org"}', '{"a":"Dear\\n[e-mail address]"}'],
  ['an address after an escaped letter', '"\\u00e9lise@example.org"', '"\\u00e9[e-mail address]"'],
  ['a card', 'card 4111111111111111, exp', 'card [card number], exp'],
  ['a card in groups', 'card 5500-0000-0000-0004', 'card [card number]'],
  ['a card of 15 digits', '3782 822463 10005', '[card number]'],
  ['a card after an escape', '"pay\\n4111 1111 1111 1111"', '"pay\\n[card number]"'],
  ['a key of ours', `use ${OURS} now`, 'use [key] now'],
  ['a key of ours after an escape', `"key:\\n${OURS}"`, '"key:\\n[key]"'],
  ['a key of Anthropic', `x=sk-ant-api03-${'a1'.repeat(20)}`, 'x=[key]'],
  ['a key of Google', `AIza${'b2'.repeat(17)}c`, '[key]'],
  ['a key of AWS', 'AKIAIOSFODNN7EXAMPLE', '[key]'],
  ['a key of GitHub', `ghp_${'c3'.repeat(18)}`, '[key]'],
  ['a key of Slack', 'xoxb-1234567890-abcdefghij', '[key]'],
  ['a key of Stripe', `sk_live_${'d4'.repeat(12)}`, '[key]'],
  ['a bearer token', 'Authorization: Bearer abcdef0123456789ABC==', 'Authorization: Bearer [key]'],
  ['a JSON web token', `eyJ${'a'.repeat(20)}.${'b'.repeat(30)}.${'c'.repeat(20)}`, '[key]'],
  [
    'a private key',
    '-----BEGIN RSA PRIVATE KEY-----\\nMIIE\\n-----END RSA PRIVATE KEY-----',
    '[key]-----END RSA PRIVATE KEY-----',
  ],
  ['several', `a@b.io and ${OURS} and c@d.io`, '[e-mail address] and [key] and [e-mail address]'],
];

for (const [name, text, expected] of found)
  test(`${name} is redacted`, async () => assert.equal(await redact(text), expected));

const kept = [
  'me@localhost is no address, nor is @example.org',
  'card 4111111111111112 does not pass, 411111111111111111111 is too long',
  'created 1795262400000, id 20261121120000',
  'call_4111111111111111',
  'a task-for-somebody-else-entirely, sk-short',
  'the bearer of bad news',
  '{"model":"acme/large","messages":[{"role":"user","content":"Hello"}]}',
];

for (const text of kept) test(`stays as it is: ${text}`, async () => assert.equal(await redact(text), text));

test('an address streamed in pieces is redacted in each, in every dialect, and the events stay valid', async () => {
  for (const event of [
    (piece: string) => `data: {"choices":[{"delta":{"content":"${piece}"}}]}\n\n`,
    (piece: string) => `event: content_block_delta\ndata: {"delta":{"type":"text_delta","text":"${piece}"}}\n\n`,
    (piece: string) =>
      `event: response.output_text.delta\ndata: {"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":"${piece}"}\n\n`,
    (piece: string) => `data: {"candidates":[{"content":{"parts":[{"text":"${piece}"}],"role":"model"}}]}\r\n\r\n`,
    (piece: string) => `,\r\n{"candidates":[{"content":{"parts":[{"text":"${piece}"}],"role":"model"}}]}\n`,
  ]) {
    const stream = ['Write to ada', '.love', 'lace@', 'example', '.org, or 4111', ' 1111 1111 1111', '!'];
    const redacted = await redact(stream.map(event).join(''));
    const pieces = ['Write to [e-mail address]', '[e-mail address]', '[e-mail address]', '[e-mail address]'];
    assert.equal(redacted, [...pieces, '[e-mail address], or [card number]', '[card number]', '!'].map(event).join(''));
  }
});

test('tool arguments streamed in pieces are searched as one text', async () => {
  const events = [
    `"arguments":"{\\"key\\":\\"${OURS.slice(0, 20)}"`,
    '"content":"meanwhile"',
    `"arguments":"${OURS.slice(20)}\\"}"`,
  ];
  const redacted = await redact(events.map((event) => `data: {${event}}\n\n`).join(''));
  assert.ok(!redacted.includes(OURS.slice(20)) && !redacted.includes(OURS.slice(6, 20)));
  assert.match(redacted, /"content":"meanwhile"/);
});

test('interleaved choices are kept apart', async () => {
  const chunk = (index: number, piece: string) =>
    `data: {"choices":[{"index":${index},"delta":{"content":"${piece}"}}]}\n\n`;
  const stream = [chunk(0, 'ada@'), chunk(1, 'bob@'), chunk(0, 'example.org'), chunk(1, 'example.net'), chunk(1, '!')];
  const note = '[e-mail address]';
  const expected = [chunk(0, note), chunk(1, note), chunk(0, note), chunk(1, note), chunk(1, '!')];
  assert.equal(await redact(stream.join('')), expected.join(''));
});

test('media become a note of their type and length, as a data: URL and bare, and the text after them is kept', () => {
  const picture = Buffer.alloc(30_000, 7).toString('base64');
  const text = `{"a":"data:image/png;base64,${picture}","b":{"data":"${picture}"},"c":"and then"}`;
  const { bytes, isCut } = collapseMedia(Buffer.from(text), 1000);
  assert.equal(bytes.toString(), '{"a":"[image/png, 40022 bytes]","b":{"data":"[media, 40000 bytes]"},"c":"and then"}');
  assert.equal(isCut, false);
});

test('JSON within JSON keeps its quotes, and long words are not media', () => {
  const picture = 'A'.repeat(5000);
  assert.equal(collapse(`{"a":"{\\"b\\":\\"${picture}\\"}"}`), '{"a":"{\\"b\\":\\"[media, 5000 bytes]\\"}"}');
  const words = `{"a":"${'Donaudampfschifffahrtsgesellschaftskapitaen '.repeat(100)}"}`;
  assert.equal(collapse(words), words);
});

test('a body is truncated at the limit after redaction, between two characters, and marked as truncated', async () => {
  assert.deepEqual(await prepareBody(Buffer.from('short'), false, true), { text: 'short', isTruncated: false });
  assert.deepEqual(await prepareBody(Buffer.from('short'), true, true), { text: 'short', isTruncated: true });
  assert.equal(await prepareBody(Buffer.alloc(0), false, true), null);
  const at = BODY_BYTES_MAX - 10;
  const secret = await prepareBody(Buffer.from(`${' '.repeat(at)}${OURS} and more`), false, true);
  assert.deepEqual([secret?.isTruncated, secret?.text.trim()], [true, '[key] and']);
  const wide = await prepareBody(Buffer.from(`a${'é'.repeat(BODY_BYTES_MAX)}`), false, false);
  assert.equal(wide?.isTruncated, true);
  assert.equal(Buffer.byteLength(wide?.text ?? ''), BODY_BYTES_MAX - 1);
});

test('no text takes long to redact', async () => {
  const patterns = [
    '@',
    'a@',
    'sk-',
    'eyJ-',
    ' eyJaaaaaaaaaaaa.',
    '4',
    '4 ',
    '-----BEGIN PRIVATE KEY-----',
    'bearer ',
    '\\n',
    'data: "content":"',
    'A',
  ];
  for (const pattern of patterns) {
    const bytes = Buffer.from(`"${pattern.repeat(Math.floor(BODY_BYTES_MAX / pattern.length))}`);
    const before = process.cpuUsage();
    await prepareBody(bytes, false, true);
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 1_000_000, `${pattern} took ${user + system} µs`);
  }
});

test('a text full of candidates is searched in small pieces', async () => {
  for (const pattern of [
    '@a.b',
    'data: {"text":"a@b.cc"}\n',
    'data:\n',
    'AKIA',
    ' r8_a',
    'basic QTpB',
    '://a:b',
    'api_key',
  ]) {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await redact(pattern.repeat(Math.floor(BODY_BYTES_MAX / pattern.length)));
    isOver = true;
    assert.ok(turns > 5, `${pattern}: ${turns} turns for others`);
  }
});

function collapse(text: string): string {
  return collapseMedia(Buffer.from(text), 100_000).bytes.toString();
}
