/** Goal: labels are short and contain no secret. Method: requests written by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newSecret } from '../../accounts/secret/key-secret.ts';
import type { CallLabels } from '../../core/call-labels.ts';
import { inboundOf } from '../../dialects/contract.ts';
import { relayDialects } from '../../dialects/index.ts';
import { callLabels } from './call-labels.ts';

const SECRET = 'sk-proj-Zq81kXw0PlantedSecret77Zq81kXw0PlantedSecret77';

function labelsOf(fields: object, headers: Record<string, string> = {}) {
  const dialect = relayDialects['openai-chat'];
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'the prompt' }], ...fields });
  return callLabels(dialect, inboundOf(dialect, body, headers));
}

test('a caller that sends no labels has none', () => {
  assert.equal(labelsOf({}), null);
  assert.equal(labelsOf({ user: null, metadata: {} }, { 'x-title': '', referer: 'https://page.example/' }), null);
  assert.equal(labelsOf({ user: '  ', metadata: [] }), null);
});

test('user, metadata, title and URL are kept, under any of their names', () => {
  const app = {
    'http-referer': 'https://app.example/desk?session=1#top',
    'x-openrouter-title': 'My App',
    'x-title': 'Other',
  };
  assert.deepEqual(labelsOf({ user: 'u1', metadata: { team: 'a', count: 7, on: true, deep: {}, none: null } }, app), {
    user: 'u1',
    app: 'My App',
    referer: 'https://app.example/desk',
    metadata: { team: 'a', count: '7', on: 'true' },
    isCut: false,
  });
  assert.equal(labelsOf({ safety_identifier: 's1' })?.user, 's1');
  assert.equal(labelsOf({}, { 'x-title': 'liteLLM' })?.app, 'liteLLM');
  assert.equal(labelsOf({}, { 'http-referer': 'https://name:pass@app.example' })?.referer, 'https://app.example/');
  assert.equal(labelsOf({}, { 'http-referer': 'no address' }), null);
  assert.equal(labelsOf({}, { 'x-title': Buffer.from('Prüfung 灯').toString('latin1') })?.app, 'Prüfung 灯');
});

test('long texts are cut and marked as such, and control characters are removed', () => {
  const labels = labelsOf({ user: 'u'.repeat(3000) }, { 'x-title': 't'.repeat(9000) });
  assert.equal(labels?.user?.length, 256);
  assert.equal(labels?.app?.length, 128);
  assert.equal(labels?.isCut, true);
  assert.equal(labelsOf({ metadata: { a: 'v'.repeat(600) } })?.metadata['a']?.length, 512);
  assert.equal(labelsOf({ user: 'a\u001b[2Jb\u202ec\n' })?.user, 'a[2Jbc');
  const nothing = { user: null, app: null, referer: null, metadata: {}, isCut: true };
  assert.deepEqual(labelsOf({ user: 'u'.repeat(9000), metadata: { a: 'x'.repeat(99_999) } }), nothing);
  assert.deepEqual(labelsOf({ user: 'u', metadata: { ['n'.repeat(65)]: 'x', n: 'y' } }), {
    ...nothing,
    user: 'u',
    metadata: { n: 'y' },
  });
});

test('at most sixteen pairs are kept', () => {
  const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, 'v']));
  assert.deepEqual(labelsOf({ metadata: pairs(16) })?.metadata, pairs(16));
  assert.equal(labelsOf({ metadata: pairs(16) })?.isCut, false);
  assert.deepEqual(labelsOf({ metadata: pairs(17) })?.metadata, pairs(16));
  assert.equal(labelsOf({ metadata: pairs(17) })?.isCut, true);
});

/** The bytes of all texts of labels together. */
function bytesOf({ user, app, referer, metadata }: CallLabels): number {
  return Buffer.byteLength([user, app, referer, ...Object.entries(metadata).flat()].join(''));
}

const FILLS = ['a', 'é', '値', '🚢', 'x🚢', '://a:bcd@ ', 'api_key=a1b2c3d4e5f6a7b8 ', 'eyJ', 'sk-', `${SECRET} `];

test('all labels of a call take at most 1 KiB of UTF-8: user, title and URL first, then metadata in order', () => {
  for (const fill of FILLS) {
    const metadata = Object.fromEntries(Array.from({ length: 16 }, (_, at) => [`${at}${fill}`, fill.repeat(400)]));
    const headers = {
      'x-title': Buffer.from(fill.repeat(200)).toString('latin1'),
      'http-referer': `https://h.example/${fill.repeat(90)}`,
    };
    const labels = labelsOf({ user: fill.repeat(300), metadata }, headers);
    assert.ok(labels?.isCut, fill);
    assert.ok(bytesOf(labels) <= 1024, `${fill} takes ${bytesOf(labels)} bytes`);
    const texts = [labels.user, labels.app, labels.referer, ...Object.entries(labels.metadata).flat()];
    assert.ok(
      texts.every((text) => text === null || (text.isWellFormed() && !text.includes('\ufffd'))),
      fill,
    );
  }
  const first = labelsOf(
    { user: '値'.repeat(256), metadata: { a: '値'.repeat(512), b: 'c' } },
    { 'x-title': 'Harbour' },
  );
  assert.deepEqual([first?.user?.length, first?.app], [256, 'Harbour']);
  assert.deepEqual(first?.metadata, { a: '値'.repeat(82) });
});

test('no key is kept, wherever it is', () => {
  const labels = labelsOf(
    { user: `me ${SECRET}`, metadata: { note: `use ${SECRET}`, api_key: 'a1b2c3d4e5f6a7b8c9d0', [SECRET]: 'x' } },
    { 'x-title': SECRET, 'http-referer': `https://app.example/${SECRET}` },
  );
  assert.ok(labels !== null);
  const said = JSON.stringify(labels);
  assert.ok(!said.includes('PlantedSecret') && !said.includes('a1b2c3d4'), said);
  assert.equal(labels.user, 'me [key]');
});

/** The longest piece of `secret` in what is kept. */
function leakOf(secret: string, labels: CallLabels | null): number {
  const said = JSON.stringify(labels);
  for (let length = secret.length; length > 0; length -= 1)
    for (let from = 0; from + length <= secret.length; from += 1)
      if (said.includes(secret.slice(from, from + length))) return length;
  return 0;
}

const OWN = newSecret().reveal();
const BODY = OWN.slice('sk-tp-'.length);
const JWT = `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.${'Q7z'.repeat(500)}.${'W4x'.repeat(15)}`;
const CANARIES: Readonly<Record<string, string>> = {
  'a vendor’s key': SECRET,
  'the caller’s own key': OWN,
  'a token longer than a label': JWT,
};

for (const [name, canary] of Object.entries(CANARIES)) {
  test(`nothing is left of ${name}, wherever it is cut`, () => {
    const own = { authorization: `Bearer ${OWN}` };
    for (let offset = 0; offset < 520; offset += 1) {
      // Directly after letters, only the caller's own key is recognised.
      for (const fill of canary === OWN ? ['b', ' b'] : [' b']) {
        const text = `${fill.repeat(offset).slice(0, offset)}${fill === 'b' ? '' : ' '}${canary}`;
        const tail = `${text} tail${' 値'.repeat(600)}`;
        // A few characters may match by chance.
        const leaks = [
          labelsOf({ user: text }, own),
          labelsOf({ user: tail }, own),
          labelsOf({ metadata: { k: text } }, own),
          labelsOf({ user: 'x'.repeat(150), metadata: { k: 'y'.repeat(400), l: tail } }, own),
          ...(offset < 200 ? [labelsOf({}, { ...own, 'x-title': text })] : []),
          ...(offset < 300
            ? [labelsOf({}, { ...own, 'http-referer': `https://h.example/${text.replaceAll(' ', '/')}` })]
            : []),
        ].map((labels) => leakOf(canary.slice(0, 60), labels));
        assert.ok(Math.max(...leaks) < 8, `${leaks.join()} characters of it at ${offset}`);
      }
    }
  });
}

const each = (text: string, write: (code: string) => string) =>
  [...text].map((letter) => write(letter.charCodeAt(0).toString(16))).join('');
const FORMS: Readonly<Record<string, string>> = {
  'as it is': OWN,
  'without its prefix': BODY,
  'among letters': `abc${OWN}def`,
  'with invisible characters': [...OWN].join('\u200b'),
  'in base64': Buffer.from(OWN).toString('base64'),
  'in base64 of Basic authentication': Buffer.from(`name:${OWN}`).toString('base64url'),
  'escaped as in URLs': each(OWN, (code) => `%${code}`),
  'escaped as in JSON': each(OWN, (code) => `\\u00${code}`),
  'escaped twice': each(OWN, (code) => `%25${code}`),
};

for (const [form, text] of Object.entries(FORMS)) {
  test(`the caller’s own key is not kept ${form}, in any label`, () => {
    for (const headers of [{ authorization: `Bearer ${OWN}` }, { 'x-api-key': OWN }]) {
      for (const offset of [0, 100, 127, 200, 255, 500]) {
        const said = `${'b '.repeat(offset).slice(0, offset)}${text}`;
        const path = encodeURI(`https://h.example/${text}`);
        const all = [
          labelsOf({ user: said }, headers),
          labelsOf({ safety_identifier: said }, headers),
          labelsOf({ metadata: { note: said } }, headers),
          labelsOf({ metadata: { [text]: 'x' } }, headers),
          labelsOf({}, { ...headers, 'x-title': Buffer.from(said).toString('latin1') }),
          labelsOf({}, { ...headers, 'http-referer': path }),
        ];
        for (const labels of all) {
          const kept = JSON.stringify(labels);
          assert.ok(!kept.includes(text.slice(4, 44)) && !kept.includes(BODY.slice(0, 12)), kept);
        }
      }
    }
  });
}

test('a title that another caller has sent is still tested against the caller’s own key', () => {
  const title = { 'x-title': `My ${BODY}` };
  assert.equal(labelsOf({}, title)?.app, title['x-title']);
  assert.equal(labelsOf({}, { ...title, authorization: `Bearer ${OWN}` })?.app, '[key]');
});
