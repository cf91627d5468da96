/** Goal: what a report leaves out is estimated whole. Method: a meter that reports only a part. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_USAGE } from '../../core/usage.ts';
import { NO_MEDIA } from '../../dialects/kit/media/inline-media.ts';
import type { Admitted } from '../phases.ts';
import { consumption } from './consumption.ts';

test('a prompt that is not reported is estimated with its images', () => {
  const { usage, source } = consumption(callWith('output'), 'complete');
  assert.equal(source, 'estimated');
  assert.ok(usage.inputImageTokens > 1_000, 'four images');
  assert.ok(usage.inputImageTokens <= usage.inputTokens, 'which are a part of the prompt');
  assert.equal(usage.outputTokens, 5);
});

test('a prompt that is reported is as it is reported', () => {
  const { usage, source } = consumption(callWith('all'), 'complete');
  assert.deepEqual([source, usage.inputImageTokens, usage.outputTokens], ['reported', 0, 5]);
});

function callWith(reported: 'output' | 'all'): Admitted {
  const usage = { ...NO_USAGE, inputTokens: reported === 'all' ? 30 : 0, outputTokens: 5 };
  return {
    meter: {
      state: 'finished',
      usage: () => usage,
      reported: () => reported,
      delivered: () => ({ outputBytes: 20, outputTokens: null }),
    },
    sent: true,
    answered: true,
    peek: { promptBytes: 100, media: { ...NO_MEDIA, images: 4 } },
    target: { upstreamModel: 'x', tokenizer: null, prices: null },
  } as unknown as Admitted;
}
