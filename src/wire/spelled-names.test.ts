/**
 * Goal: no spelling that a lenient parser takes for a name passes, and no other name is refused. Method: spellings by hand and at random,
 * also with escapes; the quick checks of bytes are compared with the folding itself.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { GatewayError } from '../core/errors.ts';
import { scanJson } from './json-scan.ts';
import { SpellingRules } from './json-spelling.ts';
import { foldName } from './name-fold.ts';
import { SpelledNames } from './spelled-names.ts';

const NAMES = ['model', 'max_tokens', 'type', 'n', 'source', 'file_id', 'cache_control', 'inline_data', 'mcp_servers'];
const rules = new SpellingRules({ names: NAMES, within: ['messages', 'tools'], data: ['input', 'input_schema'] });
const watchedKeys = new Set(['source', 'file_id']);
const spelled = new SpelledNames(NAMES);

function refusal(act: () => unknown): GatewayError | null {
  try {
    act();
    return null;
  } catch (error) {
    assert.ok(error instanceof GatewayError, String(error));
    return error;
  }
}

const scan = (text: string) => refusal(() => scanJson(Buffer.from(text), { watchedKeys, spelling: rules }));

describe('spellings that some parser equates', () => {
  for (const [name, odd] of [
    ['model', 'MODEL'],
    ['model', 'moDel'],
    ['max_tokens', 'maxTokens'],
    ['max_tokens', 'max-tokens'],
    ['max_tokens', '__max__tokens__'],
    ['source', '\u017fource'],
    ['source', 'sOurce'],
    ['cache_control', 'CacheControl'],
    ['inline_data', '\u0130nline_data'],
    ['inline_data', '\u0131nline_data'],
    ['mcp_servers', 'mcp_server\u017f'],
    ['max_tokens', 'max_to\u212aens'],
    ['type', 'type\0'],
    ['type', 'type\0x'],
    ['file_id', 'fileid'],
    ['file_id', 'f_ileid'],
    ['n', 'N'],
    ['n', 'n_'],
  ] as const) {
    test(`${JSON.stringify(odd)} is refused, with the intended name`, () => {
      const top = refusal(() => spelled.refuseMisspelled(odd));
      assert.equal(top?.code, 'field_not_allowed');
      assert.ok(top.message.includes(`spell it "${name}"`), top.message);
      const inside = scan(`{"messages":[{"content":[{${JSON.stringify(odd)}:1}]}]}`);
      assert.equal(inside?.code, 'field_not_allowed');
      assert.ok(inside.param?.startsWith('messages[].content[]'), String(inside.param));
    });
  }
});

test('a correct name, and one that only looks similar, passes', () => {
  for (const name of [
    ...NAMES,
    'types',
    'modell',
    'sources',
    'typ',
    'm',
    '',
    'field',
    'maximum',
    'Temperature',
    'größe',
  ]) {
    assert.equal(
      refusal(() => spelled.refuseMisspelled(name)),
      null,
      name,
    );
    assert.equal(scan(`{"messages":[{${JSON.stringify(name)}:1}]}`), null, name);
  }
});

test('a name is refused if it folds to a known one and differs from it, however it is escaped', () => {
  const letter = fc.constantFrom('\u017f', '\u212a', '_', '-', '\0', '\u0130', '\u0131', 'ß', 'x', 'K', 'S', '\u0307');
  const variant = fc
    .tuple(fc.constantFrom(...NAMES), fc.infiniteStream(fc.nat(11)), fc.infiniteStream(letter))
    .map(([name, changes, others]) =>
      [...name]
        .map((own) => {
          const change = changes.next().value as number;
          const other = others.next().value as string;
          if (change === 0) return own.toUpperCase();
          if (change === 1) return own + other;
          if (change === 2) return own === '_' ? '' : own;
          if (change === 3 && own === 's') return '\u017f';
          if (change === 3 && own === 'k') return '\u212a';
          return own;
        })
        .join(''),
    );
  const escaped = (text: string, which: readonly boolean[]) =>
    [...text]
      .map((own, at) =>
        which[at] === true ? `\\u${own.charCodeAt(0).toString(16).padStart(4, '0')}` : JSON.stringify(own).slice(1, -1),
      )
      .join('');
  fc.assert(
    fc.property(variant, fc.array(fc.boolean(), { maxLength: 20 }), (name, which) => {
      const isRefused = NAMES.some((own) => own !== name && foldName(own) === foldName(name));
      assert.equal(refusal(() => spelled.refuseMisspelled(name)) !== null, isRefused);
      assert.equal(scan(`{"messages":{"${escaped(name, which)}":1}}`) !== null, isRefused, JSON.stringify(name));
    }),
    { numRuns: 5_000 },
  );
});

test('the caller’s own data is left alone, and what follows it is not', () => {
  const odd = '"Type":1,"fileId":2,"SOURCE":{"Type":3}';
  for (const text of [
    `{"messages":[{"input":{${odd}}}]}`,
    `{"messages":[{"input":[[{${odd}}]]}]}`,
    `{"tools":[{"input_schema":{"properties":{${odd}}}}]}`,
    `{"metadata":{${odd}},"other":[{${odd}}]}`,
  ]) {
    assert.equal(scan(text), null, text);
  }
  for (const [text, path] of [
    ['{"messages":[{"input":{"Type":1},"Type":2}]}', 'messages[].Type'],
    ['{"messages":[{"input":{"a":1}},[{"Type":2}]]}', 'messages[][].Type'],
    ['{"messages":[{"input":{}},{"content":{"Source":1}}]}', 'messages[].content.Source'],
    ['{"metadata":{"Type":1},"messages":{"Type":1}}', 'messages.Type'],
    ['{"m\\u0065ssages":{"Type":1}}', 'messages.Type'],
    ['{"messages":{"Input":{"Type":1}}}', 'messages.Input.Type'],
  ] as const) {
    assert.equal(scan(text)?.param, path, text);
  }
});

test('a name may have two spellings', () => {
  const two = new SpelledNames(['inline_data', 'inlineData']);
  for (const name of ['inline_data', 'inlineData'])
    assert.equal(
      refusal(() => two.refuseMisspelled(name)),
      null,
    );
  assert.ok(refusal(() => two.refuseMisspelled('InlineData')));
});

test('a name that is too long to be folded is refused where names mean something', () => {
  const long = `${'_'.repeat(1100)}type`;
  assert.equal(scan(`{"messages":{"${long}":1}}`)?.code, 'invalid_value');
  assert.equal(scan(`{"messages":{"input":{"${long}":1}}}`), null);
  assert.equal(scan(`{"messages":{"${'x'.repeat(5000)}":1}}`), null);
});
