/**
 * Goal: the places of running calls are shared fairly between accounts, and between keys of one, and none stays empty that
 * somebody wants. Method: callers who want everything, simulated call by call.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CallShares, type KeyShare } from './call-shares.ts';

const PLACES = 64;

/** Of `places`; takes calls in as the gateway does. */
function room(places = PLACES) {
  const shares = new CallShares(places);
  let running = 0;
  return {
    shares,
    key: (account: number, key: number) => shares.of(account, key),
    get running() {
      return running;
    },
    offer(share: KeyShare): boolean {
      if (shares.blockedBy(share, places - running) !== null) {
        shares.refused(share);
        return false;
      }
      shares.enter(share);
      running += 1;
      return true;
    },
    end(share: KeyShare): void {
      shares.leave(share);
      running -= 1;
    },
  };
}

/** Everybody wants a place at all times and asks in turn, each time another one first; calls end in the order in which they began. */
function flood(places: ReturnType<typeof room>, keys: readonly KeyShare[], calls: number, running: KeyShare[]): void {
  for (let call = 0; call < calls; call += 1) {
    const ended = running.shift();
    if (ended !== undefined) places.end(ended);
    let isTaken = true;
    while (isTaken) {
      isTaken = false;
      for (let at = 0; at < keys.length; at += 1) {
        const key = keys[(call + at) % keys.length] as KeyShare;
        if (!places.offer(key)) continue;
        running.push(key);
        isTaken = true;
      }
    }
  }
}

test('one key alone gets nearly all places, and a sibling and another account still find one each', () => {
  const places = room();
  const greedy = places.key(1, 11);
  while (places.offer(greedy));
  assert.equal(greedy.running, 62);
  assert.ok(places.offer(places.key(1, 12)), 'a sibling of the key');
  assert.ok(places.offer(places.key(2, 21)), 'another account');
  assert.equal(places.running, PLACES);
  assert.equal(places.shares.blockedBy(greedy, 0), 'installation');
});

test('a refusal says whose share is used up', () => {
  const shares = new CallShares(PLACES);
  const [greedy, sibling] = [shares.of(1, 11), shares.of(1, 12)];
  for (let call = 0; call < 62; call += 1) shares.enter(greedy);
  assert.equal(shares.blockedBy(greedy, 2), 'key');
  shares.enter(sibling);
  assert.equal(shares.blockedBy(sibling, 1), 'account');
});

test('an account that comes late has as many places as the first one once as many calls have ended', () => {
  const places = room();
  const [first, second] = [places.key(1, 11), places.key(2, 21)];
  const running: KeyShare[] = [];
  flood(places, [first], 1, running);
  assert.ok(first.running >= 60);
  flood(places, [first, second], 3 * PLACES, running);
  assert.ok(Math.abs(first.running - second.running) <= 8, `${first.running} and ${second.running}`);
  assert.ok(places.running >= 0.85 * PLACES, String(places.running));
});

test('an account with many keys gets no more than one with a single key', () => {
  const places = room();
  const many = Array.from({ length: 10 }, (_, index) => places.key(1, 100 + index));
  const single = places.key(2, 21);
  flood(places, [...many, single], 4 * PLACES, []);
  assert.ok(single.running >= 20, `${single.running} of ${places.running}`);
  const counts = many.map(({ running }) => running);
  assert.ok(Math.max(...counts) <= 6 && Math.min(...counts) >= 1, counts.join(' '));
});

test('a key that comes late has as many places as its sibling', () => {
  const places = room();
  const [first, second] = [places.key(1, 11), places.key(1, 12)];
  const running: KeyShare[] = [];
  flood(places, [first], 1, running);
  flood(places, [first, second], 3 * PLACES, running);
  assert.ok(Math.abs(first.running - second.running) <= 8, `${first.running} and ${second.running}`);
  assert.ok(places.offer(places.key(1, 13)), 'and a third one finds a place');
});

test('whoever wants little gets it while others want everything, who get the rest', () => {
  const places = room();
  const greedy = places.key(1, 11);
  const modest = places.key(2, 21);
  flood(places, [greedy], 1, []);
  for (let round = 0; round < 50; round += 1) {
    places.end(greedy);
    if (modest.running > 2) places.end(modest);
    if (modest.running < 3) assert.ok(places.offer(modest), `round ${round}`);
    while (places.offer(greedy));
  }
  assert.ok(places.running >= 0.95 * PLACES, String(places.running));
});

test('a burst of those who have few finds more places the next time, and what is kept for them is used again', () => {
  for (const [account, key] of [
    [1, 12],
    [2, 21],
  ] as const) {
    const places = room();
    const [greedy, modest] = [places.key(1, 11), places.key(account, key)];
    const burst = () => {
      let served = 0;
      for (let call = 0; call < 5; call += 1) if (places.offer(modest)) served += 1;
      while (modest.running > 0) places.end(modest);
      return served;
    };
    while (places.offer(greedy));
    const first = burst();
    for (let round = 0; round < 8; round += 1) {
      for (let call = 0; call < 8; call += 1) places.end(greedy);
      while (places.offer(greedy));
    }
    assert.ok(first <= 2);
    assert.ok(burst() >= 4);
    for (let call = 0; call < 5_000; call += 1) {
      places.end(greedy);
      while (places.offer(greedy));
    }
    assert.equal(greedy.running, 62);
  }
});

test('a gateway with few places has none to keep', () => {
  for (const few of [1, 2, 3, 8]) {
    const places = room(few);
    const key = places.key(1, 11);
    while (places.offer(key));
    assert.equal(key.running, few);
  }
});

test('keys without a running call are forgotten, those with one are not', () => {
  const shares = new CallShares(PLACES);
  const running = shares.of(1, 0);
  shares.enter(running);
  for (let key = 1; key <= 5000; key += 1) shares.of(key, key);
  assert.ok([...shares.keys()].length < 3000);
  assert.equal(shares.of(1, 0), running);
});
