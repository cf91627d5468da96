/**
 * Goal: a call is always tried once, at what rests only if nothing else is left, and again only within the budget. Method: three
 * candidates, of which a test says which rest, which cannot be asked, and how attempts end.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorCode, GatewayError } from '../../core/errors.ts';
import { RESTS } from '../../routing/breaker/breakers.ts';
import type { Admitted } from '../phases.ts';
import { Turns } from './turns.ts';

interface Given {
  /** Names of candidates that rest, and of those whose format cannot express the call. */
  readonly rest?: readonly string[];
  readonly inexpressible?: readonly string[];
  readonly error?: ErrorCode;
  readonly budget?: number;
  /** How the connections of the first attempts end; `failed` from then on. */
  readonly connections?: readonly ('stale' | 'reset')[];
}

/** The names of the candidates that are asked, in order, if every attempt fails. */
function asked({
  rest = [],
  inexpressible = [],
  error = 'bad_gateway',
  budget = 99,
  connections = [],
}: Given): string[] {
  const names = ['a', 'b', 'c'];
  const candidates = names.map((name) => ({ own: null, model: { id: name }, target: { provider: name } }));
  const providers = new Map(names.map((name) => [name, { name }]));
  const call = { candidates, providers, key: { accountId: 1 }, tries: 0 } as unknown as Admitted;
  let left = budget;
  const ports = {
    breakers: {
      begin: (provider: { name: string }, _model: string, isMust: boolean) =>
        rest.includes(provider.name) && !isMust ? RESTS : 0,
      hasAnother: () => false,
      readiness: (provider: { name: string }) => (rest.includes(provider.name) ? { until: 1 } : 'ready'),
    },
    retries: {
      countCall: () => undefined,
      isSpent: () => left === 0,
      take() {
        left -= 1;
      },
    },
  };
  const turns = new Turns(ports as never, call);
  const seen: string[] = [];
  for (let turn: ReturnType<Turns['after']> = turns.first(); turn !== null; ) {
    const { provider } = turn.candidate.target;
    const isSkipped = inexpressible.includes(provider);
    if (isSkipped) turns.skip();
    else {
      seen.push(provider);
      call.tries += 1;
    }
    const connection = connections[seen.length - 1];
    const failed = {
      error: new GatewayError(error),
      anotherMayServe: true,
      connectionReset: connection !== undefined,
      connectionWasStale: connection === 'stale',
      signAgain: false,
    };
    turn = turns.after(failed, turn);
  }
  return seen;
}

test('what rests is passed over, also after a failure', () => {
  assert.deepEqual(asked({}), ['a', 'b', 'c']);
  assert.deepEqual(asked({ rest: ['a'] }), ['b', 'c']);
  assert.deepEqual(asked({ rest: ['b'] }), ['a', 'c']);
});

test('a call is tried once even if everything rests, or if what does not rest cannot be asked', () => {
  assert.deepEqual(asked({ rest: ['a', 'b', 'c'] }), ['a']);
  assert.deepEqual(asked({ rest: ['a', 'c'], inexpressible: ['b'] }), ['a']);
  assert.deepEqual(asked({ inexpressible: ['a', 'b', 'c'] }), []);
});

test('without a budget there is one attempt, whatever was skipped before it', () => {
  assert.deepEqual(asked({ budget: 0 }), ['a']);
  assert.deepEqual(asked({ budget: 0, inexpressible: ['a'] }), ['b']);
  assert.deepEqual(asked({ budget: 1 }), ['a', 'b']);
});

test('after a connection that was kept and had been closed, a call is tried again without a budget, once', () => {
  assert.deepEqual(asked({ budget: 0, connections: ['stale'] }), ['a', 'a']);
  assert.deepEqual(asked({ budget: 0, connections: ['stale', 'stale'] }), ['a', 'a']);
  assert.deepEqual(asked({ budget: 1, connections: ['stale', 'reset'] }), ['a', 'a', 'b']);
  assert.deepEqual(asked({ budget: 0, connections: ['reset'] }), ['a']);
  assert.deepEqual(asked({ budget: 9, connections: ['reset', 'stale'] }), ['a', 'a', 'b']);
});
