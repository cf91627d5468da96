// Goal: live calls and listed ones make one list, newest first. Method: small lists by hand.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Call } from '../../api/types.ts';
import { mergeCalls } from './merge-calls.ts';

const call = (id: string): Call => ({ id }) as Call;
const ids = (calls: readonly Call[]): string[] => calls.map(({ id }) => id);
const listed = [call('gen-5'), call('gen-3')];

test('live calls are sorted in by time, each once', () => {
  const live = [call('gen-4'), call('gen-6'), call('gen-5'), call('gen-6')];
  assert.deepEqual(ids(mergeCalls(live, listed, false)), ['gen-6', 'gen-5', 'gen-4', 'gen-3']);
});

test('a live call after the last row waits for its page, unless that was the last page', () => {
  assert.deepEqual(ids(mergeCalls([call('gen-1')], listed, true)), ['gen-5', 'gen-3']);
  assert.deepEqual(ids(mergeCalls([call('gen-1')], listed, false)), ['gen-5', 'gen-3', 'gen-1']);
});
