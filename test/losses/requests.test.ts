/**
 * Goal: a translated request loses nothing in silence. Method: in the golden requests of every caller's format values are changed or
 * removed, fields that the format has elsewhere are added, and so is one that nobody knows; for every provider's format the result must
 * then be another request, another warning or a refusal. Here each field is judged in one request, and every request at least once;
 * `npm run prove -- losses` judges each in all. What has no effect is in a list, from which docs/reference/translation.md is made.
 * Recorded requests, no part of the project, come from `TURNPIKE_RECORDINGS`; without them their test says so and is skipped.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerNames, requestFixtures } from '../golden/fixtures.ts';
import { recordedRequests } from '../golden/recorded-requests.ts';
import { recordings, skip } from '../golden/recordings.ts';
import { lostOfRequests } from './lost-requests.ts';
import { chooseSome } from './sample.ts';

const some = chooseSome(1, 17);

for (const from of callerNames) {
  test(`${from}: no field of a request is left out in silence`, (context) => {
    const { lost, tried } = lostOfRequests(from, requestFixtures(from), some);
    assert.deepEqual(lost, []);
    assert.ok(tried >= 500, `only ${tried} requests were read`);
    context.diagnostic(`${tried} requests`);
  });

  test(`${from}: nor of a request that a real client sent`, { skip }, (context) => {
    const requests = recordedRequests(recordings, from);
    const { lost, tried } = lostOfRequests(from, requests, some, { once: true });
    assert.deepEqual(lost, []);
    assert.ok(requests.length >= 20, `only ${requests.length} requests were found`);
    context.diagnostic(`${requests.length} recorded requests, ${tried} in all`);
  });
}
