/**
 * For tests of single failures: no provider of this gateway rests, and every call may be tried again. In the program, what one test's
 * failures show of a provider would hold for the next test.
 */
import { mock } from 'node:test';
import type { OpenGateway } from './open-gateway.ts';

export function neverResting({ app }: OpenGateway): void {
  mock.method(app.gateway.breakers, 'begin', () => 0);
  mock.method(app.gateway.breakers, 'readiness', () => 'ready');
  mock.method(app.gateway.retries, 'isSpent', () => false);
}
