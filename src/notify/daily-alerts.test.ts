/** Goal: whoever can do something about a trouble gets one email a day about it, and not a flood. Method: a mailer in memory, a clock that the test moves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ManualClock } from '../core/clock.ts';
import { type Alert, DailyAlerts } from './daily-alerts.ts';

const DAY_MS = 86_400_000;

function open() {
  const clock = new ManualClock();
  const bench = { clock, sent: [] as string[], problems: [] as unknown[], refuses: false };
  const mailer = {
    async send({ to, subject }: { to: string; subject: string }) {
      if (bench.refuses) throw new Error('no mail server');
      bench.sent.push(`${subject} → ${to}`);
    },
  };
  const alerts = new DailyAlerts({ mailer, clock, onProblem: (cause) => bench.problems.push(cause) });
  return { ...bench, bench, alerts };
}

function about(id: string, group = 'operators', recipients = async (): Promise<readonly string[]> => ['ada']): Alert {
  return { id, group, subject: id, text: 'text', recipients };
}

test('the same is sent once a day, to each of its recipients', async () => {
  const { alerts, clock, sent } = open();
  const both = about('a', 'operators', async () => ['ada', 'bob']);
  for (let count = 0; count < 3; count += 1) alerts.alert(both);
  clock.advance(DAY_MS - 1);
  alerts.alert(both);
  await nextTurn();
  assert.deepEqual(sent, ['a → ada', 'a → bob']);
  clock.advance(1);
  alerts.alert(both);
  await nextTurn();
  assert.equal(sent.length, 4);
});

test('one group has some twenty a day, and takes none from another', async () => {
  const { alerts, clock, sent } = open();
  for (let count = 0; count < 50; count += 1) alerts.alert(about(`own ${count}`, 'account 1'));
  alerts.alert(about('b', 'account 2'));
  await nextTurn();
  assert.equal(sent.length, 21);
  clock.advance(DAY_MS);
  alerts.alert(about('own 49', 'account 1'));
  await nextTurn();
  assert.equal(sent.length, 22);
});

test('what the mail server refuses is sent later, three times, and only to those who lack it', async () => {
  const { alerts, clock, bench, sent, problems } = open();
  bench.refuses = true;
  alerts.alert(about('a'));
  await nextTurn();
  assert.equal(problems.length, 1);
  clock.advance(60_000);
  await nextTurn();
  bench.refuses = false;
  clock.advance(600_000);
  await nextTurn();
  clock.advance(DAY_MS);
  await nextTurn();
  assert.deepEqual([sent, problems.length], [['a → ada'], 2]);
  bench.refuses = true;
  alerts.alert(about('b'));
  for (const ms of [0, 60_000, 600_000, 3_600_000, DAY_MS]) {
    clock.advance(ms);
    await nextTurn();
  }
  assert.equal(problems.length, 2 + 4);
});

test('if the recipients cannot be read, they are looked up again', async () => {
  const { alerts, clock, sent } = open();
  let looks = 0;
  const recipients = async () => {
    looks += 1;
    if (looks === 1) throw new Error('no database');
    return ['ada'];
  };
  alerts.alert(about('a', 'operators', recipients));
  await nextTurn();
  clock.advance(60_000);
  await nextTurn();
  assert.deepEqual(sent, ['a → ada']);
});

test('closed, nothing more is sent, and a mail server that never answers is not waited for', async () => {
  const clock = new ManualClock();
  const silent = new DailyAlerts({ mailer: { send: () => new Promise(() => undefined) }, clock, onProblem: () => {} });
  silent.alert(about('a'));
  await nextTurn();
  const closing = silent.close(2_000);
  clock.advance(2_000);
  await closing;
  const { alerts, sent } = open();
  await alerts.close(0);
  alerts.alert(about('b'));
  await nextTurn();
  assert.deepEqual(sent, []);
});
