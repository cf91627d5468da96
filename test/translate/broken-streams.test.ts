/**
 * Goal: a stream that cannot be translated to its end is a failure in every account of it: an error in the caller's
 * format, no clean end, and nothing charged. Method: a provider that begins its message anew in the middle, as a retry
 * by its own proxy does, which a meter of bytes takes for a whole answer.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openGateway } from '../support/open-gateway.ts';
import { startScriptedUpstream } from '../support/scripted-upstream.ts';
import { anthropicFrames } from '../support/upstream-scripts.ts';

test('a message that begins anew in the middle', async () => {
  const frames = anthropicFrames(['one ', 'two ']);
  const spliced = [...frames.slice(0, 3), ...frames];
  const upstream = await startScriptedUpstream(async (exchange) => {
    await exchange.openStream();
    for (const frame of spliced) await exchange.chunk(frame);
    await exchange.lastChunk();
  });
  const provider = {
    name: 'spliced',
    kind: 'custom',
    origin: upstream.origin,
    credential: 'spliced-credential',
    dialects: ['anthropic-messages'],
    models: [{ id: 'spliced/model', upstream: 'spliced-1', prices: { input: 1, output: 5 } }],
  };
  const gateway = await openGateway({ providers: [provider] });
  try {
    const recorded = gateway.nextRecord();
    const response = await fetch(`${gateway.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'spliced/model', stream: true, messages: [{ role: 'user', content: 'go' }] }),
    });
    const text = await response.text();
    assert.match(text, /"content":"one "/);
    assert.match(text, /"error":\{/);
    assert.doesNotMatch(text, /\[DONE\]/);
    const record = await recorded;
    assert.equal(record.ending, 'upstream_failed');
    assert.equal(record.charge, 0n);
  } finally {
    await gateway.close();
    await upstream.close();
  }
});
