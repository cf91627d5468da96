/** Goal: uses of the provider's tools are counted as they are billed, whole, streamed or cut off. Method: answers by hand, through the meter. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Usage } from '../../../core/usage.ts';
import { Frame } from '../../../wire/frames/frame.ts';
import type { Meter } from '../../interface/meter.ts';
import type { Peek } from '../../interface/peek.ts';
import { WholeAnswer } from '../../kit/relay/whole-answer.ts';
import { openMeter } from './meter.ts';

const USAGE = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
const OUTPUT = [
  { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q' } },
  { type: 'web_search_call', id: 'ws_2', status: 'completed', action: { type: 'open_page', url: 'u' } },
  { type: 'file_search_call', id: 'fs_1', status: 'completed', queries: ['q'] },
  { type: 'file_search_call', id: 'fs_2', status: 'completed', queries: ['q'] },
  { type: 'code_interpreter_call', id: 'ci_1', container_id: 'cntr_1', code: 'x' },
  { type: 'code_interpreter_call', id: 'ci_2', container_id: 'cntr_1', code: 'y' },
  { type: 'code_interpreter_call', id: 'ci_3', container_id: 'cntr_2', code: 'z' },
  { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] },
];
const COUNTED = { webSearches: 1, fileSearches: 2, codeContainers: 2 };
const IDS = ['resp_1', ...OUTPUT.map(({ id }) => id)];

function frameOf(event: object): Frame {
  const data = Buffer.from(JSON.stringify(event));
  return new Frame(data, null, data, 0);
}

function streamed(ending: object | null): Meter {
  const meter = openMeter({} as Peek);
  meter.frame(frameOf({ type: 'response.created', response: { id: 'resp_1', output: [] } }));
  for (const [index, item] of OUTPUT.entries())
    meter.frame(frameOf({ type: 'response.output_item.done', output_index: index, item }));
  if (ending !== null) meter.frame(frameOf({ type: 'response.completed', response: { id: 'resp_1', ...ending } }));
  return meter;
}

describe('uses of the provider’s tools', () => {
  test('are counted in a whole answer: searches, calls, and each container once', () => {
    const meter = openMeter({} as Peek);
    meter.body(new WholeAnswer(Buffer.from(JSON.stringify({ id: 'resp_1', output: OUTPUT, usage: USAGE }))));
    assert.deepEqual(countsOf(meter.usage()), COUNTED);
    assert.deepEqual(meter.storedIds?.(), IDS);
  });

  test('are counted once in a stream, whether its last event repeats the items or not', () => {
    for (const output of [OUTPUT, []]) {
      const meter = streamed({ output, usage: USAGE });
      assert.deepEqual(countsOf(meter.usage()), COUNTED);
      assert.deepEqual(meter.storedIds?.(), IDS);
    }
  });

  test('are known of a stream that was cut off', () => {
    const meter = streamed(null);
    assert.equal(meter.usage(), null);
    assert.deepEqual(meter.delivered().toolUses, COUNTED);
  });

  test('are what the provider says of searches, if it says so', () => {
    const meter = openMeter({} as Peek);
    const answer = { id: 'r', output: OUTPUT, usage: USAGE, tool_usage: { web_search: { num_requests: 4 } } };
    meter.body(new WholeAnswer(Buffer.from(JSON.stringify(answer))));
    assert.equal(meter.usage()?.webSearches, 4);
  });
});

describe('what xAI reports', () => {
  const usesOf = (details: unknown) => {
    const meter = openMeter({} as Peek);
    const usage = { ...USAGE, server_side_tool_usage_details: details };
    meter.body(new WholeAnswer(Buffer.from(JSON.stringify({ id: 'r', output: OUTPUT, usage }))));
    return countsOf(meter.usage());
  };

  test('counts, instead of the items, which include attempts that failed', () => {
    const details = { web_search_calls: 5, x_search_calls: 2, code_interpreter_calls: 3, file_search_calls: 0 };
    assert.deepEqual(usesOf(details), { webSearches: 5, fileSearches: 0, codeContainers: 3 });
  });

  test('does not count if it is no count', () => {
    const { webSearches, fileSearches, codeContainers } = COUNTED;
    for (const details of [
      null,
      [],
      'x',
      {},
      { web_search_calls: -1, file_search_calls: '7', code_interpreter_calls: null },
    ])
      assert.deepEqual(usesOf(details), { webSearches, fileSearches, codeContainers });
  });
});

function countsOf(usage: Usage | null): object {
  const { webSearches, fileSearches, codeContainers } = usage ?? assert.fail();
  return { webSearches, fileSearches, codeContainers };
}
