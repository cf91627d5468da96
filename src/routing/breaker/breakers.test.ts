/**
 * Goal: a provider that fails rests and is asked again soon after it is well; one caller, an abort or a limit never makes it look broken;
 * and a credential rests alone. Method: reports of calls, with a clock that the test moves.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../core/clock.ts';
import { type AttemptAt, type BreakerChange, Breakers, RESTS } from './breakers.ts';
import { REST_MS_MAX } from './circuit.ts';

const MODEL = 'acme/large';
/** Accounts. */
const ONE = 1;
const TWO = 2;
const ATTACKER = 666;

function open(credentialCount = 1) {
  const clock = new ManualClock();
  const changes: BreakerChange[] = [];
  const breakers = new Breakers(clock, (change) => changes.push(change));
  const provider = { name: 'acme', credentialCount };
  const ask = (model = MODEL, isMust = false): AttemptAt => ({
    provider,
    model,
    credential: breakers.begin(provider, model, isMust),
    askedAt: clock.monotonic(),
  });
  const fail = (times: number, caller: number | null = null) => {
    for (let time = 0; time < times; time += 1) breakers.failed(ask(MODEL, true), caller, null);
  };
  const answer = (times: number, caller = ONE) => {
    for (let time = 0; time < times; time += 1) breakers.good(ask(MODEL, true), caller);
  };
  /** `ready`, `probing`, or for how long it still rests, in ms. */
  const state = (model = MODEL) => {
    const readiness = breakers.readiness(provider, model);
    return typeof readiness === 'string' ? readiness : readiness.until - clock.monotonic();
  };
  return { clock, changes, breakers, provider, ask, fail, answer, state };
}

test('five failures in a row open it for five seconds, four and an answer do not', () => {
  const { breakers, provider, ask, fail, answer, state } = open();
  assert.equal(state(), 'ready');
  fail(4);
  answer(1);
  fail(4);
  assert.equal(state(), 'ready');
  fail(1);
  assert.equal(state(), 5_000);
  assert.equal(breakers.begin(provider, MODEL, false), RESTS);
  assert.equal(breakers.begin(provider, MODEL, true), 0, 'the last candidate is never ejected');
  assert.equal(state('acme/small'), 'ready', 'another model there is not concerned');
  assert.equal(ask('acme/small').credential, 0);
});

test('half of the last twenty calls open it, fewer do not, however well it was before', () => {
  const { fail, answer, state, clock } = open();
  answer(1_000);
  for (let time = 0; time < 20; time += 1) {
    answer(2);
    fail(1);
  }
  assert.equal(state(), 'ready');
  answer(20);
  for (let time = 0; time < 10; time += 1) {
    assert.equal(state(), 'ready');
    fail(1);
    if (time < 9) answer(1);
  }
  assert.equal(state(), 5_000);
  const later = open();
  for (let time = 0; time < 9; time += 1) {
    later.answer(1);
    later.fail(1);
  }
  later.clock.advance(31_000);
  later.fail(2);
  assert.equal(later.state(), 'ready', 'the earlier failures are no longer in the window');
  assert.ok(clock.monotonic() === 0);
});

test('four of the last twenty are enough if the caller gets no answer though another provider is ready', () => {
  const { breakers, ask, answer, state } = open();
  const lose = () => breakers.failed(ask(), null, null, true);
  answer(100);
  for (let time = 0; time < 3; time += 1) {
    lose();
    answer(1);
  }
  assert.equal(state(), 'ready');
  lose();
  assert.equal(state(), 5_000);
  const covered = open();
  covered.answer(1);
  covered.fail(4);
  covered.answer(1);
  assert.equal(covered.state(), 'ready');
  covered.breakers.failed(covered.ask(), null, null, true);
  assert.equal(covered.state(), 5_000);
  const alone = open();
  alone.answer(3, ONE);
  for (let time = 0; time < 20; time += 1) alone.breakers.failed(alone.ask(), ATTACKER, null, true);
  assert.equal(alone.state(), 'ready', 'one account alone never opens it while others are answered');
});

test('one that fails every second call opens again two failures after a probe; one that is well may fail once', () => {
  const { clock, ask, breakers, fail, answer, state } = open();
  fail(5);
  clock.advance(31_000);
  breakers.good(ask(), ONE);
  answer(5);
  fail(1);
  assert.equal(state(), 'ready');
  answer(5);
  fail(1);
  assert.notEqual(state(), 'ready');
  clock.advance(31_000);
  breakers.good(ask(), ONE);
  answer(10);
  fail(1);
  answer(10);
  fail(1);
  assert.equal(state(), 'ready', 'after twenty calls it is as before');
});

test('what failed before the rest still counts when a probe has closed it', () => {
  const { clock, ask, breakers, fail, answer, state } = open();
  for (let time = 0; time < 10; time += 1) {
    answer(1);
    fail(1);
  }
  assert.equal(state(), 5_000);
  clock.advance(5_000);
  breakers.good(ask(), ONE);
  assert.equal(state(), 'ready');
  fail(1);
  assert.notEqual(state(), 'ready');
});

test('it rests 5, 10, 20, 25 and 25 seconds; each time one call probes it, and the rest is short again after half a minute of health', () => {
  const { breakers, provider, clock, ask, fail, state } = open();
  fail(5);
  for (const restMs of [5_000, 10_000, 20_000, 25_000, 25_000]) {
    assert.equal(state(), restMs);
    clock.advance(restMs - 1);
    assert.equal(breakers.begin(provider, MODEL, false), RESTS);
    clock.advance(1);
    assert.equal(state(), 'probing');
    const probe = ask();
    assert.equal(probe.credential, 0);
    assert.equal(breakers.begin(provider, MODEL, false), RESTS, 'one probe at a time');
    breakers.failed(probe, ONE, null);
  }
  clock.advance(25_000);
  const probe = ask();
  breakers.answered(probe);
  assert.equal(state(), 'ready', 'an answer that has begun lets the others in');
  breakers.good(probe, ONE);
  fail(1);
  assert.equal(state(), 'ready');
  fail(1);
  assert.equal(state(), 25_000, 'it has not been well for long');
  clock.advance(25_000);
  breakers.good(ask(), ONE);
  clock.advance(30_001);
  fail(5);
  assert.equal(state(), 5_000);
});

test('until an answer is complete, the first failure after a probe is enough', () => {
  const { breakers, clock, ask, fail, state } = open();
  fail(5);
  clock.advance(5_000);
  const probe = ask();
  breakers.answered(probe);
  assert.equal(state(), 'ready');
  breakers.failed(probe, ONE, null);
  assert.equal(state(), 10_000);
});

test('a probe whose caller leaves is given back, and one without an answer holds it for 25 seconds only', () => {
  const { breakers, clock, ask, fail, state } = open();
  fail(5);
  clock.advance(5_000);
  const left = ask();
  assert.equal(state(), 25_000);
  breakers.showedNothing(left);
  assert.equal(state(), 'probing');
  ask();
  clock.advance(25_000);
  assert.equal(state(), 'probing');
});

test('calls that were begun before it opened, or before the probe that closed it, change nothing', () => {
  const { breakers, clock, ask, fail, state } = open();
  const early = [ask(), ask(), ask(), ask(), ask(), ask()] as const;
  clock.advance(100);
  fail(5);
  for (const each of early.slice(0, 3)) breakers.failed(each, ONE, null);
  breakers.good(early[3], ONE);
  assert.equal(state(), 5_000);
  clock.advance(5_000);
  const hanging = ask(MODEL, true);
  clock.advance(25_000);
  breakers.good(ask(), ONE);
  for (const each of [early[4], early[5], hanging]) breakers.failed(each, null, null);
  assert.equal(state(), 'ready');
});

test('a call to the last candidate left is made during its rest; its answer ends the rest, its failure does not prolong it', () => {
  const { breakers, clock, ask, fail, state } = open();
  fail(5);
  clock.advance(1_000);
  breakers.failed(ask(MODEL, true), null, null);
  assert.equal(state(), 4_000);
  breakers.good(ask(MODEL, true), ONE);
  assert.equal(state(), 'ready');
});

test('a rest lasts as long as Retry-After says, within five minutes', () => {
  const { breakers, clock, ask, state } = open();
  for (let time = 0; time < 5; time += 1) breakers.failed(ask(), null, 60_000);
  assert.equal(state(), 60_000);
  clock.advance(60_000);
  breakers.failed(ask(), null, 1e9);
  assert.equal(state(), REST_MS_MAX);
});

test('the failures of one caller alone do not open it while others are answered', () => {
  const { clock, fail, answer, state } = open();
  for (let second = 0; second < 120; second += 1) {
    fail(4, ATTACKER);
    if (second % 10 === 0) answer(1, ONE);
    fail(4, ATTACKER);
    clock.advance(1_000);
  }
  assert.equal(state(), 'ready');
  fail(1, TWO);
  assert.equal(typeof state(), 'number', 'a second caller confirms it');
  const alone = open();
  alone.answer(3, ATTACKER);
  alone.fail(5, ATTACKER);
  assert.equal(alone.state(), 5_000, 'nobody else is answered there');
  const unasked = open();
  unasked.answer(3, ONE);
  unasked.fail(5, null);
  assert.equal(unasked.state(), 5_000, 'no request can cause a refused connection');
});

test('calls that are broken off by their callers never open it', () => {
  const { breakers, ask, answer, state } = open();
  for (let time = 0; time < 1_000; time += 1) {
    breakers.showedNothing(ask());
    if (time % 2 === 0) answer(1);
  }
  assert.equal(state(), 'ready');
});

test('a limit rests for as long as the provider says and counts as no failure; without a word it rests like a failure', () => {
  const { breakers, clock, ask, fail, state } = open();
  fail(4);
  breakers.limited(ask(), 2_000);
  assert.equal(state(), 2_000);
  assert.equal(state('acme/small'), 'ready', 'limits are often those of a model');
  clock.advance(2_000);
  assert.equal(state(), 'probing');
  const probe = ask();
  assert.notEqual(state(), 'probing');
  breakers.answered(probe);
  assert.equal(state(), 'ready');
  breakers.limited(ask(), 1e9);
  assert.equal(state(), REST_MS_MAX);
  const silent = open();
  silent.breakers.limited(silent.ask(), null);
  assert.equal(silent.state(), 5_000);
  const brief = open();
  brief.breakers.limited(brief.ask(), 0);
  assert.equal(brief.state(), 1_000);
});

test('credentials take turns evenly, and one that rests is passed over by all', () => {
  const { breakers, clock, ask, provider } = open(3);
  const taken = (times: number) => {
    const counts = [0, 0, 0];
    for (let time = 0; time < times; time += 1) {
      const { credential } = ask();
      counts[credential] = (counts[credential] ?? 0) + 1;
    }
    return counts;
  };
  assert.deepEqual(taken(300), [100, 100, 100]);
  const limited = { provider, model: MODEL, credential: 1, askedAt: clock.monotonic() };
  breakers.limited(limited, 10_000);
  assert.deepEqual(taken(300), [150, 0, 150]);
  assert.equal(breakers.hasAnother(provider, MODEL), true);
  clock.advance(10_000);
  const counts = taken(300);
  assert.equal(counts[1], 1, 'one call probes it');
  breakers.answered({ ...limited, askedAt: clock.monotonic() });
  assert.deepEqual(taken(300), [100, 100, 100]);
});

test('a provider rests as a whole only if all its credentials rest, and until the first is rested', () => {
  const { breakers, clock, provider, state } = open(2);
  const at = (credential: number) => ({ provider, model: MODEL, credential, askedAt: clock.monotonic() });
  breakers.limited(at(0), 20_000);
  assert.equal(state(), 'ready');
  breakers.rejected(at(1), 401, ONE);
  assert.equal(state(), 5_000);
  assert.equal(breakers.isCredentialResting(provider, MODEL), true);
  assert.equal(breakers.hasAnother(provider, MODEL), false);
  assert.equal(breakers.begin(provider, MODEL, false), RESTS);
  assert.equal(breakers.begin(provider, MODEL, true), 1, 'the one whose rest ends first');
});

test('a rejected credential is reported once, and once that it is accepted again', () => {
  const { breakers, changes, clock, ask } = open(2);
  const said = () => changes.splice(0).map(({ credential, model, state }) => `${credential} ${model} ${state}`);
  const first = { ...ask(), credential: 0 };
  const running = { ...ask(), credential: 0 };
  breakers.rejected(first, 401, ONE);
  breakers.rejected(running, 401, ONE);
  assert.deepEqual(said(), ['0 null rejected']);
  for (let time = 0; time < 3; time += 1) {
    clock.advance(25_000);
    breakers.rejected({ ...first, askedAt: clock.monotonic() }, 402, ONE);
  }
  assert.deepEqual(said(), []);
  breakers.rejected({ ...first, credential: 1, askedAt: clock.monotonic() }, 403, ONE);
  assert.deepEqual(said(), ['1 acme/large rejected']);
  clock.advance(25_000);
  breakers.answered({ ...first, askedAt: clock.monotonic() });
  breakers.good({ ...first, askedAt: clock.monotonic() }, ONE);
  assert.deepEqual(said(), ['0 null accepted']);
});

test('a refusal of the credential rests it for every model, a 403 for the model alone', () => {
  const { breakers, clock, provider, state } = open();
  const at = { provider, model: MODEL, credential: 0, askedAt: clock.monotonic() };
  breakers.rejected(at, 403, ONE);
  assert.deepEqual([state(), state('acme/small')], [5_000, 'ready']);
  assert.deepEqual(breakers.ofCredential(provider, 0), { rests: 'ready', rejected: false, modelsRejected: [MODEL] });
  breakers.rejected(at, 401, ONE);
  assert.deepEqual([state(), state('acme/small')], [5_000, 5_000]);
  assert.deepEqual(breakers.ofCredential(provider, 0), {
    rests: { until: 5_000 },
    rejected: true,
    modelsRejected: [MODEL],
  });
  clock.advance(5_000);
  breakers.answered({ ...at, askedAt: clock.monotonic() });
  assert.deepEqual(breakers.ofCredential(provider, 0), { rests: 'ready', rejected: false, modelsRejected: [] });
});

test('a wanted credential is taken out of turn; resting, another one is taken, unless no other will do', () => {
  const { breakers, clock, provider, ask } = open(3);
  const take = (isOnly: boolean, isMust = false) => breakers.begin(provider, MODEL, isMust, { credential: 1, isOnly });
  assert.deepEqual([take(false), take(true), ask().credential, ask().credential], [1, 1, 0, 1]);
  breakers.limited({ provider, model: MODEL, credential: 1, askedAt: clock.monotonic() }, 5_000);
  assert.deepEqual([take(false), take(false), take(true), take(true, true)], [2, 0, RESTS, 1]);
  assert.equal(breakers.begin(provider, 'acme/small', false, { credential: 1, isOnly: true }), 1, 'of another model');
  clock.advance(5_000);
  assert.equal(take(true), 1, 'it is the probe');
  assert.equal(take(true), RESTS);
});

test('a 403 to one account rests nothing while another is answered; to two accounts in a row, or while nobody is, it does', () => {
  const { breakers, clock, changes, ask, answer, state } = open();
  answer(1, ONE);
  answer(1, ATTACKER);
  for (let time = 0; time < 50; time += 1) assert.equal(breakers.rejected(ask(), 403, ATTACKER), false);
  answer(1, ONE);
  assert.equal(breakers.rejected(ask(), 403, TWO), false, 'the other was refused before the last answer');
  assert.deepEqual([state(), changes], ['ready', []]);
  assert.equal(breakers.rejected(ask(), 403, ATTACKER), true);
  assert.equal(state(), 5_000);
  clock.advance(5_000);
  answer(1, ONE);
  assert.equal(state(), 'ready');
  clock.advance(30_000);
  assert.equal(breakers.rejected(ask(), 403, ATTACKER), true);
  assert.equal(typeof state(), 'number');
});

test('what one account alone has made rest is asked for another, until that fails, too', () => {
  const { breakers, provider, clock, fail, state } = open();
  const begun = (account: number) => breakers.begin(provider, MODEL, false, null, account);
  fail(5, ATTACKER);
  assert.equal(state(), 5_000);
  assert.deepEqual([begun(ATTACKER), begun(ONE)], [RESTS, 0]);
  breakers.good({ provider, model: MODEL, credential: 0, askedAt: clock.monotonic() }, ONE);
  assert.equal(state(), 'ready');
  fail(9, ATTACKER);
  assert.equal(state(), 'ready', 'another was answered there');
  clock.advance(60_000);
  fail(9, ATTACKER);
  breakers.failed({ provider, model: MODEL, credential: 0, askedAt: clock.monotonic() }, ONE, null);
  assert.deepEqual([begun(ATTACKER), begun(ONE), begun(TWO)], [RESTS, RESTS, RESTS]);
});

test('a new provider object has no history', () => {
  const { breakers, fail, state } = open();
  fail(5);
  assert.equal(state(), 5_000);
  assert.equal(breakers.readiness({ name: 'acme', credentialCount: 1 }, MODEL), 'ready');
});
