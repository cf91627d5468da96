/**
 * Goal: thinking is requested in the way that the model supports, without sampling parameters. Method: one setting at a time, for models
 * that think by effort and by budget.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AssistantBlock, ChatRequest } from '../../../chat/request.ts';
import { ahoy, assistant, callOf, high, resultOf, tool, type Varied, write } from '../fixtures/write-fixture.ts';

const budget: Varied = { thinking: 'budget' };

test('only the sampling parameters that the model accepts are sent', () => {
  const asked = { temperature: 1.5, topP: 0.5, topK: 3 };
  const known = new Set(['reasoning']);
  const all = ['temperature', 'top_p', 'top_k'] as const;
  assert.deepEqual(sampling(asked, { sampling: all }), [1, undefined, 3, 2]);
  assert.deepEqual(sampling({ topP: 0.5 }, { sampling: all }), [undefined, 0.5, undefined, 0]);
  assert.deepEqual(sampling(asked), [1, undefined, undefined, 3]);
  assert.deepEqual(sampling(asked, { sampling: [] }), [undefined, undefined, undefined, 3]);
  assert.deepEqual(sampling(asked, { parameters: known }), [undefined, undefined, undefined, 3]);
  assert.deepEqual(sampling({ ...asked, reasoning: high }, budget), [undefined, undefined, undefined, 3]);
  assert.deepEqual(sampling({ temperature: 1, reasoning: high }, budget), [undefined, undefined, undefined, 0]);
  const stop = write({ stop: ['END', '\n'] });
  assert.deepEqual([stop.body.stop_sequences, stop.warnings.length], [['END'], 1]);
});

test('thinking by effort', () => {
  const summarized = { type: 'adaptive', display: 'summarized' };
  const efforts = ['low', 'medium', 'high', 'max'] as const;
  assert.deepEqual(thinking({ reasoning: high }), [summarized, { effort: 'high' }, 0]);
  assert.deepEqual(thinking({ reasoning: { ...high, effort: 'minimal' } }, { efforts }), [
    summarized,
    { effort: 'low' },
    1,
  ]);
  assert.deepEqual(thinking({ reasoning: { ...high, effort: 'xhigh' } }, { efforts }), [
    summarized,
    { effort: 'high' },
    1,
  ]);
  assert.deepEqual(thinking({ reasoning: { ...high, effort: 'none' } }), [{ type: 'disabled' }, undefined, 0]);
  assert.deepEqual(thinking({ reasoning: { ...high, effort: null, budget: 9000 } }), [
    summarized,
    { effort: 'medium' },
    1,
  ]);
  const hidden = { effort: null, budget: null, adaptive: true, hidden: true };
  assert.deepEqual(thinking({ reasoning: hidden }), [{ type: 'adaptive', display: 'omitted' }, undefined, 0]);
  assert.deepEqual(thinking({ reasoning: high }, { parameters: new Set(['tools']) }), [undefined, undefined, 1]);
});

test('thinking is not disabled for a model that always thinks, and the caller is warned', () => {
  const off = { reasoning: { ...high, effort: 'none' } } as const;
  const always = { thinking: 'always' } as const;
  assert.deepEqual(thinking(off, always), [undefined, undefined, 1]);
  assert.deepEqual(sampling({ ...off, temperature: 0.5 }, always), [undefined, undefined, undefined, 2]);
  assert.deepEqual(sampling({ temperature: 0.5 }, always), [undefined, undefined, undefined, 1]);
  assert.deepEqual(thinking({ reasoning: high }, always), thinking({ reasoning: high }));
  assert.deepEqual(thinking(off, { thinking: 'adaptive' }), [{ type: 'disabled' }, undefined, 0]);
});

test('a model that thinks is not forced to call a tool, however thinking is requested', () => {
  const forced = { tools: [tool], toolChoice: { type: 'required' }, outputCap: 10_000 } as const;
  const choice = (fields: Partial<ChatRequest>, to: Varied) => {
    const { body, warnings } = write({ ...forced, ...fields }, to);
    return [body.tool_choice, warnings.length];
  };
  for (const how of ['adaptive', 'budget', 'always', null] as const) {
    assert.deepEqual(choice({ reasoning: high }, { thinking: how }), [{ type: 'auto' }, 1], String(how));
  }
  assert.deepEqual(choice({}, { thinking: 'always' }), [{ type: 'auto' }, 1]);
  for (const how of ['adaptive', 'budget', null] as const) {
    assert.deepEqual(choice({}, { thinking: how }), [{ type: 'any' }, 0], String(how));
    assert.deepEqual(choice({ reasoning: { ...high, effort: 'none' } }, { thinking: how }), [{ type: 'any' }, 0]);
  }
});

test('of an effort and a budget the one that is not sent is reported', () => {
  const both = { ...high, budget: 5000 };
  assert.deepEqual(thinking({ reasoning: both, outputCap: 10_000 }, budget)[2], 1);
  assert.deepEqual(thinking({ reasoning: both, outputCap: 10_000 })[2], 1);
});

test('thinking by budget', () => {
  const enabled = (budget_tokens: number) => ({ type: 'enabled', budget_tokens });
  assert.deepEqual(thinking({ reasoning: high, outputCap: 10_000 }, budget), [enabled(8000), undefined, 0]);
  assert.deepEqual(thinking({ reasoning: { ...high, effort: 'low' }, outputCap: 2000 }, budget), [
    enabled(1024),
    undefined,
    0,
  ]);
  assert.deepEqual(thinking({ reasoning: { ...high, budget: 5000 }, outputCap: 4000 }, budget), [
    enabled(3999),
    undefined,
    2,
  ]);
  assert.deepEqual(thinking({ reasoning: high, outputCap: 1024 }, budget), [undefined, undefined, 1]);
});

test('an open tool loop without its thought turns off thinking by budget, and nothing else', () => {
  const open = (...before: AssistantBlock[]): Partial<ChatRequest> => ({
    turns: [ahoy, assistant(...before, callOf('a')), { role: 'user', blocks: [resultOf('a')] }],
    tools: [tool],
    reasoning: high,
  });
  const own = { type: 'reasoning', text: 'x', signature: 's', encrypted: null, origin: 'anthropic-claude-v1' } as const;
  assert.equal(write(open(), budget).body.thinking, undefined);
  assert.equal(write(open({ ...own, origin: 'unknown' }), budget).body.thinking, undefined);
  assert.equal(write(open(own), budget).body.thinking?.type, 'enabled');
  assert.equal(write(open()).body.thinking?.type, 'adaptive');
});

function sampling(fields: Partial<ChatRequest>, to: Varied = {}) {
  const { body, warnings } = write(fields, to);
  return [body.temperature, body.top_p, body.top_k, warnings.length];
}

function thinking(fields: Partial<ChatRequest>, to: Varied = {}) {
  const { body, warnings } = write(fields, to);
  return [body.thinking, body.output_config, warnings.length];
}
