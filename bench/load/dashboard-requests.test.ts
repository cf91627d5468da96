/**
 * Goal: a new route of the dashboard is measured, too. Method: the contract's read routes compared with the requests.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contractRoutes } from '../../src/api/contract/schemas.ts';
import { NOT_ASKED, readingRequests } from './dashboard-requests.ts';

test('every route of the dashboard that reads has a request', () => {
  const asked = new Set(Object.keys(readingRequests({ nowMs: 0, call: '' })).map((name) => name.split(' ', 1)[0]));
  const missing = contractRoutes
    .filter(({ name, route }) => route.method === 'GET' && route.doors.includes('dashboard') && !NOT_ASKED.has(name))
    .filter(({ name }) => !asked.has(name))
    .map(({ name }) => name);
  assert.deepEqual(missing, []);
});
