/**
 * Goal: the requested amount of reasoning is sent in a form that the model accepts. Method: tables of settings for targets that accept all,
 * some and no efforts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Reasoning } from '../../../chat/request.ts';
import { type DialectTarget, usualQuirks } from '../quirks.ts';
import { writeReasoning } from './write-reasoning.ts';

test('effort is clamped to what the model accepts, and a budget becomes an effort', () => {
  const rows: readonly (readonly [Partial<Reasoning>, DialectTarget['efforts'], string | undefined, number])[] = [
    [{ effort: 'xhigh' }, null, 'xhigh', 0],
    [{ effort: 'max' }, ['low', 'medium', 'high'], 'high', 1],
    [{ effort: 'none' }, ['minimal', 'low'], 'minimal', 1],
    [{ effort: 'minimal' }, ['none', 'low'], 'low', 1],
    [{ effort: 'medium' }, ['low', 'high'], 'low', 1],
    [{ effort: 'high' }, [], undefined, 1],
    [{ effort: 'none' }, [], undefined, 0],
    [{ budget: 4096 }, null, 'low', 1],
    [{ budget: 16_384 }, null, 'medium', 1],
    [{ budget: 31_999 }, null, 'high', 1],
    [{ budget: 31_999, effort: 'low' }, null, 'low', 1],
    [{ adaptive: true }, null, undefined, 0],
  ];
  for (const [wish, efforts, expected, warned] of rows) {
    const { fields, warnings } = write(wish, { efforts });
    assert.deepEqual([fields['reasoning_effort'], warnings.size], [expected, warned], JSON.stringify(wish));
  }
});

test('a model that cannot think gets no setting, and the caller is warned if it matters', () => {
  const targets: readonly Partial<DialectTarget>[] = [
    { parameters: new Set(['temperature']) },
    { quirks: { ...quirks, reasoningField: 'none' } },
  ];
  for (const target of targets) {
    const wanted = write({ effort: 'high' }, target);
    assert.deepEqual([wanted.fields, wanted.warnings.size], [{}, 1]);
    for (const wish of [{ effort: 'none' }, { adaptive: true }, { hidden: true }] as const) {
      assert.deepEqual(write(wish, target), { fields: {}, warnings: new Set() });
    }
  }
});

test('a switch goes with an effort, or alone', () => {
  const rows: readonly (readonly [Partial<Reasoning>, alone: object, withEffort: object])[] = [
    [{ effort: 'high' }, ON, { ...ON, reasoning_effort: 'high' }],
    [{ effort: 'minimal' }, ON, { ...ON, reasoning_effort: 'low' }],
    [{ effort: 'none' }, OFF, OFF],
    [{ budget: 4096 }, ON, { ...ON, reasoning_effort: 'low' }],
    [{ adaptive: true }, ON, ON],
    [{ hidden: true }, {}, {}],
  ];
  for (const [wish, alone, withEffort] of rows)
    assert.deepEqual(
      (['thinking_type', 'thinking'] as const).map(
        (reasoningField) => write(wish, { quirks: { ...quirks, reasoningField } }).fields,
      ),
      [alone, withEffort],
    );
});

const ON = { thinking: { type: 'enabled' } };
const OFF = { thinking: { type: 'disabled' } };

test('OpenRouter’s object has an effort or a budget', () => {
  const rows: readonly (readonly [Partial<Reasoning>, object])[] = [
    [{ effort: 'high', budget: 5000, hidden: true }, { reasoning: { effort: 'high' } }],
    [{ budget: 5000 }, { reasoning: { max_tokens: 5000 } }],
    // It must be below the cap of 8000.
    [{ budget: 8000 }, { reasoning: { effort: 'medium' } }],
    [{ adaptive: true }, { reasoning: { enabled: true } }],
    // Hidden thoughts are removed here, not at the provider: their signatures are needed for the next turn.
    [{ hidden: true }, {}],
  ];
  for (const [wish, expected] of rows) {
    const { fields } = write(wish, { quirks: { ...quirks, reasoningField: 'reasoning' } });
    assert.equal(JSON.stringify(fields), JSON.stringify(expected));
  }
});

const quirks: DialectTarget['quirks'] = {
  ...usualQuirks,
  outputCapFields: ['max_completion_tokens'],
  reasoningField: 'reasoning_effort',
  reasoningBack: 'none',
  openRouterFields: [],
  cacheControl: false,
  systemRole: 'system',
};

function write(wish: Partial<Reasoning>, target: Partial<DialectTarget>) {
  const whole: DialectTarget = {
    ...{ upstreamModel: 'up/m', outputCap: null, parameters: null, efforts: null },
    ...{ sampling: ['temperature'] as const, quirks },
    ...target,
  };
  const reasoning = { effort: null, budget: null, adaptive: false, hidden: false, ...wish };
  const warnings = new Set<string>();
  return { fields: writeReasoning({ reasoning }, whole, 8000, warnings), warnings };
}
