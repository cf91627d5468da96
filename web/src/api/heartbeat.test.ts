// Goal: a lost server, and its return, are reported within 3 s, without endless requests. Method: a manual clock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Heartbeat } from './heartbeat.ts';

test('a lost server is detected within 3 s, whether it refuses or stays silent', async () => {
  for (const way of ['refuses', 'hangs'] as const) {
    // The worst moment is right after a check.
    const { heartbeat, time, server } = subject();
    heartbeat.start();
    await time.pass(0);
    server.is = way;
    await time.pass(2_999);
    assert.equal(heartbeat.connection, 'unreachable', way);
  }
});

test('a returning server is detected, and checked at the usual rate again', async () => {
  const { heartbeat, time, server, changes } = subject();
  server.is = 'refuses';
  heartbeat.start();
  await time.pass(2_000);
  server.is = 'there';
  await time.pass(2_000);
  assert.equal(heartbeat.connection, 'online');
  assert.deepEqual(changes, ['unreachable', 'online']);
});

test('a server that stays away is checked less and less often', async () => {
  const { heartbeat, time, server } = subject();
  server.is = 'refuses';
  heartbeat.start();
  await time.pass(60_000);
  assert.equal(server.asked, 8, '0, 1, 3, 7, 15, 30, 45 and 60 s');
  await time.pass(600_000);
  assert.equal(server.asked, 48, 'every 15 s');
});

test('an answer to another question puts the next one off, and says that the server is there', async () => {
  const { heartbeat, time, server } = subject();
  heartbeat.start();
  for (let second = 0; second < 10; second += 1) {
    await time.pass(1_000);
    heartbeat.answered();
  }
  assert.equal(server.asked, 1);
  server.is = 'hangs';
  await time.pass(3_000);
  assert.equal(heartbeat.connection, 'unreachable');
  heartbeat.answered();
  assert.equal(heartbeat.connection, 'online');
});

test('another failed request triggers an immediate check', async () => {
  const { heartbeat, time, server } = subject();
  heartbeat.start();
  await time.pass(100);
  server.is = 'refuses';
  heartbeat.failed();
  await time.pass(0);
  assert.equal(heartbeat.connection, 'unreachable');
  const { asked } = server;
  heartbeat.failed();
  await time.pass(0);
  assert.equal(server.asked, asked, 'while the server is known to be lost nothing is checked early');
});

test('without a network, and on a hidden page, nothing is checked', async () => {
  const { heartbeat, time, server, network } = subject();
  network.is = false;
  heartbeat.start();
  assert.equal(heartbeat.connection, 'offline');
  await time.pass(60_000);
  assert.equal(server.asked, 0);
  network.is = true;
  heartbeat.start();
  await time.pass(0);
  assert.equal(heartbeat.connection, 'online');
  heartbeat.stop();
  const { asked } = server;
  await time.pass(60_000);
  heartbeat.answered();
  heartbeat.failed();
  await time.pass(60_000);
  assert.equal(server.asked, asked);
});

function subject() {
  const time = new HandTime();
  const server = { is: 'there' as 'there' | 'refuses' | 'hangs', asked: 0 };
  const network = { is: true };
  const changes: string[] = [];
  const heartbeat: Heartbeat = new Heartbeat({
    ask(signal) {
      server.asked += 1;
      if (server.is === 'there') return Promise.resolve(true);
      if (server.is === 'refuses') return Promise.reject(new TypeError('Failed to fetch'));
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    },
    after: (ms, act) => time.after(ms, act),
    random: () => 0.5,
    hasNetwork: () => network.is,
    onChange: () => changes.push(heartbeat.connection),
  });
  return { heartbeat, time, server, network, changes };
}

/** Timers that fire in order as time passes, with their promises settled in between. */
class HandTime {
  #now = 0;
  #timers: { readonly at: number; readonly act: () => void }[] = [];

  after(ms: number, act: () => void): () => void {
    const timer = { at: this.#now + ms, act };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }

  async pass(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (;;) {
      const next = this.#timers.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
      if (next === undefined) break;
      this.#now = next.at;
      this.#timers = this.#timers.filter((each) => each !== next);
      next.act();
      await settle();
    }
    this.#now = end;
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}
