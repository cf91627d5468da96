/**
 * Goal: attempts to sign in are bounded over all nodes as they are on one. Method: the same random attempts, some of them at once, counted in
 * memory and by two nodes on every PostgreSQL that is here.
 */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { createDatabase } from '../../../../test/support/postgres/database.ts';
import { type ServerName, serverNames } from '../../../../test/support/postgres/servers.ts';
import { ManualClock } from '../../../core/clock.ts';
import { Attempts } from '../../../members/attempts.ts';
import { MemoryAttempts } from '../../../members/memory-attempts.ts';
import { SharedAttempts } from '../../../members/shared-attempts.ts';
import { openConnections } from '../engine/connections.ts';
import { PostgresAttempts } from './postgres-attempts.ts';

const ADDRESS = { address: '10.0.0.1', device: null };

for (const name of serverNames)
  describe(`PostgreSQL ${name}`, () => {
    test('the waits are those of one node', async (context) => {
      const { clock, nodes, query } = await open(name, context);
      const step = fc.tuple(
        fc.constantFrom('password', 'code', 'link', 'mail', 'digits', 'mailbox'),
        fc.constantFrom('ada@example.com', 'bob@example.com'),
        fc.boolean(),
        fc.constantFrom(0, 1, 900, 30_000, 3_600_000),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
          await query('truncate attempts');
          // What the nodes were refused before concerns other rows.
          clock.advance(24 * 3_600_000);
          const alone = new Attempts(new MemoryAttempts(clock));
          for (const [index, [kind, person, succeeds, pause]] of steps.entries()) {
            clock.advance(pause);
            const expected = await outcome(alone, kind, person, succeeds);
            assert.equal(await outcome(nodes[index % 2] as Attempts, kind, person, succeeds), expected);
          }
        }),
        { numRuns: 12 },
      );
    });

    test('of a hundred guesses at once, at two nodes, five are not made to wait', async (context) => {
      const { nodes } = await open(name, context);
      const guesses = await Promise.allSettled(
        Array.from({ length: 100 }, (_, index) =>
          (nodes[index % 2] as Attempts).begin('password', 'ada@example.com', {
            ...ADDRESS,
            device: 'one',
          }),
        ),
      );
      assert.equal(guesses.filter(({ status }) => status === 'fulfilled').length, 5);
    });

    test('what no longer matters is deleted', async (context) => {
      const { nodes, store, clock, query } = await open(name, context);
      await nodes[0]?.begin('password', 'ada@example.com', ADDRESS);
      await store.deleteForgotten(clock.now());
      assert.equal((await query('select from attempts')).count, 2);
      await store.deleteForgotten(clock.now() + 3_600_000);
      assert.equal((await query('select from attempts')).count, 0);
    });
  });

async function open(name: ServerName, context: TestContext) {
  const database = await createDatabase(name);
  const { exchange, query, close } = await openConnections({ url: database.url, readUrl: null, connections: 2 });
  context.after(async () => {
    await close();
    await database.drop();
  });
  const clock = new ManualClock();
  const store = new PostgresAttempts(exchange);
  const nodes = [0, 1].map(() => new Attempts(new SharedAttempts(store, clock)));
  return { clock, store, nodes, query };
}

/** The seconds to wait, or 0. */
async function outcome(attempts: Attempts, kind: string, person: string, succeeds: boolean): Promise<number | boolean> {
  try {
    if (kind === 'mailbox') return await attempts.mayMail('password', person);
    if (kind === 'mail') await attempts.beginMail(ADDRESS.address);
    else if (kind === 'link') await succeed(attempts.beginLink(ADDRESS.address), succeeds);
    else if (kind === 'digits') await succeed(attempts.beginSixDigits(person), succeeds);
    else await succeed(attempts.begin(kind as 'code', person, ADDRESS), succeeds);
    return 0;
  } catch (error) {
    return (error as { retryAfterSeconds: number }).retryAfterSeconds;
  }
}

async function succeed(attempt: ReturnType<Attempts['beginLink']>, succeeds: boolean): Promise<void> {
  const begun = await attempt;
  if (succeeds) await begun.succeeded();
}
