/** Goal: the name of a conversation is found wherever clients put it, in the stated order. Method: requests in each format. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerDialects } from '../../dialects/index.ts';
import { scanJson } from '../../wire/json-scan.ts';
import { conversationOf } from './conversation-of.ts';

const { 'openai-chat': chat, 'anthropic-messages': messages, 'openai-responses': responses, gemini } = callerDialects;
const ALL = { session_id: 's', prompt_cache_key: 'p', metadata: { user_id: 'u' } };

for (const dialect of [chat, messages, responses])
  test(`${dialect.name}: headers come first, then session_id, prompt_cache_key and metadata.user_id`, () => {
    const headers = { 'x-session-id': 'h', 'x-claude-code-session-id': 'c' };
    const named = (body: object, sent = {}) => conversationOf(dialect, { headers: sent, document: documentOf(body) });
    assert.equal(named(ALL, headers), 'h');
    assert.equal(named(ALL, { ...headers, 'x-session-id': '' }), 'c');
    assert.equal(named(ALL), 's');
    assert.equal(named({ ...ALL, session_id: null }), 'p');
    assert.equal(named({ ...ALL, session_id: '', prompt_cache_key: 7 }), 'u');
    assert.equal(named({ metadata: { user_id: 'd\u00e9j\u00e0 "vu"' } }), 'd\u00e9j\u00e0 "vu"');
    for (const metadata of [null, [], 'u', {}, { user_id: '' }, { user_id: 5 }, { user_id: { a: 'b' } }])
      assert.equal(named({ metadata }), null);
    assert.equal(named({}), null);
  });

test('what is longer than a name is not read', () => {
  const named = (body: object) => conversationOf(chat, { headers: {}, document: documentOf(body) });
  assert.equal(named({ session_id: 'x'.repeat(2000), prompt_cache_key: 'p' }), 'p');
  assert.equal(named({ metadata: { user_id: 'u', more: 'x'.repeat(20_000) } }), null);
});

test("Google's format names conversations in headers only", () => {
  assert.equal(conversationOf(gemini, { headers: {}, document: documentOf(ALL) }), null);
  assert.equal(conversationOf(gemini, { headers: { 'x-session-id': 'h' }, document: documentOf(ALL) }), 'h');
});

function documentOf(body: object) {
  return scanJson(Buffer.from(JSON.stringify(body)));
}
