/** Goal: a relayed request has the edits of its list and no other. Method: bodies one by one, and what is sent for them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReasoningBlock } from '../../../chat/request.ts';
import { inboundOf } from '../../contract.ts';
import type { RequestEdits } from '../../interface/request-edits.ts';
import { sealThoughts } from '../answer/reasoning-tag.ts';
import { gemini } from '../gemini.ts';
import { type Quirks, usualQuirks } from '../quirks.ts';
import { NO_SIGNATURE } from '../request/assistant-parts.ts';
import { patchRequest } from './patch-request.ts';

function patched(body: string, edits: Partial<RequestEdits<Quirks>> = {}): string {
  const inbound = inboundOf(gemini, body);
  const peek = gemini.peek(inboundOf(gemini, '{"contents":[{}]}'));
  const all = { model: 'up-1', outputCap: null, quirks: usualQuirks, ...edits };
  return String(patchRequest(inbound, peek, all).body);
}

test('a model that the body repeats becomes the provider’s, as a resource if it was one', () => {
  assert.equal(patched('{"model":"models/a/b","contents":[{}]}'), '{"model":"models/up-1","contents":[{}]}');
  assert.equal(patched('{"contents":[{}], "model" : "a/b" }'), '{"contents":[{}], "model" : "up-1" }');
  assert.equal(patched('{"contents":[{}],"model":null}'), '{"contents":[{}],"model":null}');
});

test('a cap that the gateway sets is added to the settings that are there', () => {
  const capped = (body: string) => patched(body, { outputCap: 9 });
  assert.equal(capped('{"contents":[{}]}'), '{"generationConfig":{"maxOutputTokens":9},"contents":[{}]}');
  assert.equal(
    capped('{"contents":[{}],"generation_config":{ "seed":1}}'),
    '{"contents":[{}],"generation_config":{"maxOutputTokens":9, "seed":1}}',
  );
  assert.equal(
    capped('{"contents":[{}],"generationConfig":{"max_output_tokens":null}}'),
    '{"contents":[{}],"generationConfig":{"max_output_tokens":9}}',
  );
  assert.equal(
    capped('{"contents":[{}],"generationConfig":null}'),
    '{"contents":[{}],"generationConfig":{"maxOutputTokens":9}}',
  );
});

test('a request to count names the provider’s model inside, or becomes that request’s fields', () => {
  const body = '{"generateContentRequest":{"contents":[{}],"model":"models/a/b","tools":[]}}';
  const count = { operation: 'count_tokens' } as const;
  assert.equal(patched(body, count), body.replace('a/b', 'up-1'));
  assert.equal(
    patched(body, { ...count, quirks: { ...usualQuirks, countsWhole: false } }),
    '{"contents":[{}],"tools":[]}',
  );
  assert.equal(patched('{"contents":[{}]}', count), '{"contents":[{}]}');
});

test('signatures of other vendors’ thoughts are replaced, Google’s own stay to the byte', () => {
  const thought: ReasoningBlock = {
    ...{ type: 'reasoning', text: 'Hm.', signature: 'c2ln', encrypted: null, origin: 'anthropic-claude-v1' },
  };
  const own: ReasoningBlock = {
    ...thought,
    text: '',
    signature: null,
    encrypted: 'R29vZ2xl+/==',
    origin: 'google-gemini-v1',
  };
  const foreign = sealThoughts([thought]);
  const both = sealThoughts([{ ...own, id: 'call_1' }, thought]);
  const part = (signature: unknown) => `{"functionCall":{"name":"f"},"thoughtSignature": ${JSON.stringify(signature)}}`;
  const body = (...signatures: unknown[]) => `{"contents":[{"parts":[${signatures.map(part).join(',')}]}]}`;
  assert.equal(patched(body('R29v/+', foreign, both)), body('R29v/+', NO_SIGNATURE, own.encrypted));
  const quoted = `{"contents":[{"parts":[{"text":"\\"thoughtSignature\\":${JSON.stringify(foreign).replaceAll('"', '\\"')}"}]}]}`;
  assert.equal(patched(quoted), quoted);
  const elsewhere = `{"contents":[{"parts":[{"text":${JSON.stringify(foreign)}}]}]}`;
  assert.equal(patched(elsewhere), elsewhere);
  const snake = body(foreign).replace('thoughtSignature', 'thought_signature');
  assert.equal(patched(snake), body(NO_SIGNATURE).replace('thoughtSignature', 'thought_signature'));
});
