/** Goal: an anchor that works on GitHub works on the site. Method: headings with the anchors that GitHub gives them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newSlugger } from './slug.ts';

test('anchors are as GitHub makes them', () => {
  for (const [heading, anchor] of [
    ['Writing values', 'writing-values'],
    ['GET /api/v1/key', 'get-apiv1key'],
    ['model_not_found', 'model_not_found'],
    ['keys update <id|label|name>', 'keys-update-idlabelname'],
    ["A provider's answer, and what's next?", 'a-providers-answer-and-whats-next'],
    ['Edits – and “why”', 'edits--and-why'],
    ['Größe', 'größe'],
    ['a-b  c', 'a-b--c'],
    [' 1.2.0 (2026-11-21) ', '120-2026-11-21'],
  ] as const)
    assert.equal(newSlugger()(heading), anchor, heading);
});

test('a heading that comes again gets a number, and never the anchor of another', () => {
  const slug = newSlugger();
  assert.deepEqual(['Notes', 'Notes', 'Notes 1', 'Notes'].map(slug), ['notes', 'notes-1', 'notes-1-1', 'notes-2']);
});
