/**
 * Goal: the duration of a call, which a slow caller may cause, says nothing about the provider's health. Method: one ended
 * call.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Candidate } from '../../routing/candidate.ts';
import type { Call } from '../call.ts';
import { noteHealth } from './note-health.ts';

function notedOf(ended: Partial<Call>): string[] {
  const noted: string[] = [];
  const note = (what: string) => () => void noted.push(what);
  const health = { good: note('good'), failed: note('failed'), limited: note('limited'), modelFailed: note('model') };
  const call = {
    providers: new Map([['lab', {}]]),
    attempts: [{ status: 200 }],
    answerFault: null,
    refusalCode: null,
    outlasted: false,
    connectionError: null,
    ...ended,
  };
  const candidate = { model: { id: 'lab/m' }, target: { provider: 'lab' } } as Candidate;
  noteHealth({ health } as never, call as never, candidate, null);
  return noted;
}

test('a provider that falls silent has failed; one whose call was ended for its duration has not', () => {
  assert.deepEqual(notedOf({ ending: 'upstream_timeout' }), ['failed']);
  assert.deepEqual(notedOf({ ending: 'upstream_timeout', outlasted: true }), []);
  assert.deepEqual(notedOf({ ending: 'complete' }), ['good']);
});
