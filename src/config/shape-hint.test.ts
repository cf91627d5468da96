/**
 * Goal: the error for a list written as a group, or a group as text, shows the right form. Method: files with each group and
 * list of the schema wrong.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOf } from './fixture.ts';
import { options } from './options.ts';

const provider = { name: 'lab', kind: 'custom', origin: 'http://10.0.0.5' };
const model = { upstream: 'a' };

test('the error shows an example for what other programs write as text or by name', () => {
  for (const [file, message] of [
    [
      { providers: [{ ...provider, models: ['canary', 'b'] }] },
      'providers[0].models[1]: must be a group of fields, not text; write it as "- upstream: the-providers-name", one line per field',
    ],
    [
      { providers: { lab: { kind: 'custom' } } },
      'providers: must be a list, not a group of fields; write each entry as "- name: lab"',
    ],
    [
      { providers: { name: 'lab', kind: 'custom' } },
      'providers: must be a list, not a group of fields; write each entry as "- name: lab"',
    ],
    [
      { providers: [{ ...provider, models: { 'llama3.1': {} } }] },
      'providers[0].models: must be a list, not a group of fields; write each entry as "- upstream: llama3.1"',
    ],
    [
      { providers: ['openai'] },
      'providers[0]: must be a group of fields, not text; write it as "- name: lab", one line per field',
    ],
    [
      { providers: [{ ...provider, dialects: { a: 1 } }] },
      'providers[0].dialects: must be a list, not a group of fields; write it as [one, another]',
    ],
    [
      { providers: [{ ...provider, chatPaths: '/canary' }] },
      'providers[0].chatPaths: must be a group of fields, not text; write it as "openai-chat: /v1/chat/completions", one line per field',
    ],
  ] as const) {
    const problems = problemsOf(file);
    assert.ok(problems.includes(message), `${message}\n${problems.join('\n')}`);
    assert.doesNotMatch(problems.join(), /canary/);
  }
  for (const [prices, message] of [
    [3, /prices: .*write it as "input: 0\.15"/],
    [{ input: 1, output: 1, tiers: [5] }, /tiers\[0\]: .*write it as "- abovePromptTokens: 200000"/],
  ] as const)
    assert.match(problemsOf({ providers: [{ ...provider, models: [{ ...model, prices }] }] }).join(), message);
});

test('the error for every group of options shows how it is written', () => {
  const groups = new Set(options.flatMap(({ path }) => path.slice(0, -1).map((_, end) => path.slice(0, end + 1))));
  assert.ok(groups.size > 5);
  for (const group of groups) {
    const file = group.reduceRight<unknown>((inner, name) => ({ [name]: inner }), 'canary');
    const text = problemsOf(file).join('\n');
    assert.match(text, /must be a group of fields, not text; write it as "\w+: …"/, group.join('.'));
    assert.doesNotMatch(text, /canary/);
  }
});
