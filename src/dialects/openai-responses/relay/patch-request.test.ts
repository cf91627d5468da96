/**
 * Goal: of a relayed request only what is published changes: the model, the gateway's cap, and the thoughts of other vendors, wherever they
 * stand. Method: conversations with such thoughts in every place, compared with the same ones without them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inboundOf } from '../../contract.ts';
import { sealThought } from '../answer/thought-seal.ts';
import { openaiResponses } from '../openai-responses.ts';
import { usualQuirks } from '../quirks.ts';
import { patchRequest } from './patch-request.ts';

const EDITS = { model: 'vendor/x', outputCap: null, quirks: usualQuirks };
const foreign = {
  id: 'rs_1',
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: 'Hm, "}],[{".' }],
  encrypted_content: sealThought({ origin: 'anthropic-claude-v1', signature: 'c2ln', encrypted: null }),
};
const own = { ...foreign, id: 'rs_2', encrypted_content: 'gAAA' };
const said = { role: 'user', content: 'The tag is "tp1.x", and {"encrypted_content":"tp1.y"}.' };
const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a":"tp1.z"}' };

function patched(body: string, outputCap: number | null = null) {
  const inbound = inboundOf(openaiResponses, body);
  const { body: bytes, warnings } = patchRequest(inbound, openaiResponses.peek(inbound), { ...EDITS, outputCap });
  return { text: bytes.toString(), warnings };
}

const bodyOf = (input: readonly object[], space = '') =>
  `{"model":"vendor/x",${space}"input":[${space}${input.map((item) => JSON.stringify(item)).join(`${space},${space}`)}${space}],"odd":1.50}`;

test('thoughts of other vendors are removed wherever they stand, and nothing else', () => {
  const items = [said, own, foreign, call];
  for (const first of items) {
    for (const second of items) {
      for (const third of items) {
        for (const fourth of items) {
          const all = [first, second, third, fourth];
          const kept = all.filter((item) => item !== foreign);
          const { text, warnings } = patched(bodyOf(all));
          assert.equal(text, bodyOf(kept));
          assert.equal(warnings?.length ?? 0, kept.length < all.length ? 1 : 0);
        }
      }
    }
  }
});

const XAI = { ...usualQuirks, thoughtOrigin: 'xai-responses-v1' };
const xais = { ...foreign, id: 'rs_3', encrypted_content: 'tp1.encrypted.xai-responses-v1...sealed' };

test('another vendor gets its own thoughts without the mark, and nobody else’s', () => {
  const unsigned = { ...foreign, encrypted_content: sealThought(UNSIGNED) };
  const compaction = { type: 'compaction', encrypted_content: xais.encrypted_content };
  const items = [said, own, xais, foreign, unsigned, compaction, call];
  const body = bodyOf(items);
  const inbound = inboundOf(openaiResponses, body);
  const peeked = openaiResponses.peek(inbound);
  const toXai = patchRequest(inbound, peeked, { ...EDITS, quirks: XAI });
  const bare = (item: object) => ({ ...item, encrypted_content: 'sealed' });
  assert.equal(toXai.body.toString(), bodyOf([said, bare(xais), bare(compaction), call]));
  assert.equal(toXai.warnings?.length, 1);
  const toOpenai = patchRequest(inbound, peeked, EDITS);
  assert.equal(toOpenai.body.toString(), bodyOf([said, own, compaction, call]));
});

const UNSIGNED = { origin: 'unknown', signature: null, encrypted: null };

test('thoughts without content are left out by their ids, others are not', () => {
  const hollow = { type: 'reasoning', id: 'rs_9', summary: [] };
  const inbound = inboundOf(openaiResponses, bodyOf([hollow, said, { ...hollow, id: 'rs_8' }, { ...own, id: 'rs_9' }]));
  const peeked = { ...openaiResponses.peek(inbound), leftOut: new Set(['rs_9']) };
  const { body, warnings } = patchRequest(inbound, peeked, EDITS);
  assert.equal(body.toString(), bodyOf([said, { ...hollow, id: 'rs_8' }, { ...own, id: 'rs_9' }]));
  assert.equal(warnings?.length, 1);
});

test('white space between items does not matter', () => {
  const { text } = patched(bodyOf([foreign, said, foreign, foreign, call, foreign], ' \n'));
  assert.deepEqual(JSON.parse(text), JSON.parse(bodyOf([said, call])));
});

test('a tag outside a reasoning item of the input is left alone', () => {
  const bodies = [
    bodyOf([
      { role: 'user', content: [{ type: 'input_text', text: 'tp1.' }] },
      { ...foreign, type: 'program' },
    ]),
    bodyOf([said, { ...own, note: foreign }]),
    '{"model":"vendor/x","input":"tp1.","metadata":{"a":"tp1.b"}}',
  ];
  for (const body of bodies) assert.deepEqual(patched(body), { text: body, warnings: undefined });
});

test("the gateway's cap is added, or replaces null", () => {
  assert.deepEqual(JSON.parse(patched(bodyOf([said]), 300).text).max_output_tokens, 300);
  const withNull = bodyOf([said]).replace('"odd":1.50', '"max_output_tokens":null');
  assert.equal(patched(withNull, 300).text, withNull.replace('null', '300'));
});

test("Codex's word that its tools are in the input reaches the provider", () => {
  const headers = { 'x-openai-internal-codex-responses-lite': 'true', 'openai-beta': 'a=b', 'x-codex-secret': 'no' };
  const inbound = inboundOf(openaiResponses, bodyOf([said]), headers);
  assert.deepEqual(patchRequest(inbound, openaiResponses.peek(inbound), EDITS).headers, {
    'content-type': 'application/json',
    accept: 'application/json',
    'openai-beta': 'a=b',
    'x-openai-internal-codex-responses-lite': 'true',
  });
});

test('what says where the call may be served reaches no provider, wherever it stands', () => {
  const stated = ['"models":["vendor/y"]', '"route":"fallback"', '"provider":{"order":["openai"]}'];
  for (const [fields, kept] of [
    [['"input":"hi"', ...stated], '"input":"hi"'],
    [[...stated, '"input":"hi"'], '"input":"hi"'],
    [[stated[0], '"input":"hi"', stated[2]], '"input":"hi"'],
  ] as const)
    assert.equal(patched(`{"model":"vendor/x",${fields.join(',')}}`).text, `{"model":"vendor/x",${kept}}`);
  const { text } = patched(`{${stated.join(' , ')},"model":"vendor/x","input":"hi"}`, 9);
  assert.equal(text, '{"max_output_tokens":9,"model":"vendor/x","input":"hi"}');
});
