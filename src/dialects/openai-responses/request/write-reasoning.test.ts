/** Goal: summaries are not requested of a provider that refuses to make them, and that is reported. Method: one wish, with and without. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatRequest } from '../../../chat/request.ts';
import { readQuirkOptions, usualQuirks } from '../quirks.ts';
import { writeReasoning } from './write-reasoning.ts';

const REQUEST = {
  reasoning: { effort: 'low', budget: null, adaptive: false, hidden: false },
  turns: [],
} as unknown as ChatRequest;

function written(reasoningSummary: boolean | null, request = REQUEST) {
  const quirks = { ...usualQuirks, ...readQuirkOptions({ reasoningSummary }) };
  const target = { upstreamModel: 'm', outputCap: null, parameters: null, efforts: null, sampling: [], quirks };
  const warnings = new Set<string>();
  const { reasoning } = writeReasoning(request, target, warnings);
  return { reasoning, warnings: [...warnings] };
}

test('a summary is requested unless the provider makes none', () => {
  for (const setting of [null, true])
    assert.deepEqual(written(setting), { reasoning: { effort: 'low', summary: 'auto' }, warnings: [] });
  assert.deepEqual(written(false), {
    reasoning: { effort: 'low', summary: undefined },
    warnings: ['thoughts are not shown, because this provider does not summarise them'],
  });
});

test('nothing is said of thoughts that nobody wanted to see', () => {
  const hidden = {
    ...REQUEST,
    reasoning: { effort: 'low', budget: null, adaptive: false, hidden: true },
  } as ChatRequest;
  assert.deepEqual(written(false, hidden).warnings, []);
});
