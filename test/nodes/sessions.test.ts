/**
 * Goal: who is signed out, disabled, removed or given another password at one node is refused by the other at once; so is an invitation too
 * many. Method: two whole gateways on one PostgreSQL; people with sessions at both.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { codeAt } from '../dashboard/authenticator.ts';
import type { OpenGateway } from '../support/open-gateway.ts';
import { serverNames } from '../support/postgres/servers.ts';
import { startNodes, type TestNodes } from '../support/start-nodes.ts';
import { type SignedIn, signedIn, signIn, withSession } from './signed-in.ts';

const PASSWORD = 'a horse of another colour';
/** Of one mailbox in an hour. */
const INVITED_MAX = 3;

for (const server of serverNames)
  describe(`sessions at two nodes, on PostgreSQL ${server}`, () => {
    let started: TestNodes;
    let first: OpenGateway;
    let second: OpenGateway;
    let operator: SignedIn;
    before(async () => {
      started = await startNodes(2, server);
      [first, second] = started.nodes as [OpenGateway, OpenGateway];
      operator = await signedIn(first);
    });
    after(() => started?.close());

    const statusOf = async (who: SignedIn, node: OpenGateway, path = '/profile') =>
      (await who.fetch(node, 'GET', path)).status;
    const join = async (name: string) => {
      const person = { email: `${name}@example.com`, name, password: PASSWORD };
      const made = await operator.fetch(first, 'POST', '/invitations', { email: person.email, role: 'admin' });
      const { link } = (await made.json()) as { readonly link: string };
      const token = new URL(link).hash.slice('#token='.length);
      const accepted = await withSession('').fetch(second, 'POST', '/invitations/accept', { ...person, token });
      assert.equal(accepted.status, 200, await accepted.text());
      const session = withSession(await signIn(first, person));
      for (const node of [first, second]) assert.equal(await statusOf(session, node), 200);
      return { person, session };
    };
    const done = async (answer: Response) => assert.equal(answer.status, 200, await answer.text());

    test('a session that ends at one has ended at the other', async () => {
      const { session } = await join('out');
      await done(await session.fetch(first, 'DELETE', '/session'));
      assert.equal(await statusOf(session, second), 401);
    });

    test('another password, set at one, ends the sessions at the other, and the old one is refused there', async () => {
      const { person, session } = await join('changed');
      const other = withSession(await signIn(second, person));
      const body = { current_password: PASSWORD, new_password: 'a colour of another horse' };
      await done(await session.fetch(first, 'POST', '/profile/password', body));
      assert.equal(await statusOf(other, second), 401);
      const again = await withSession('').fetch(second, 'POST', '/session', {
        email: person.email,
        password: PASSWORD,
      });
      assert.equal(again.status, 401, await again.text());
    });

    test('a person who is disabled at one is refused at the other', async () => {
      const { person, session } = await join('disabled');
      await done(await operator.fetch(first, 'PATCH', `/people/${person.email}`, { disabled: true }));
      assert.equal(await statusOf(session, second), 401);
      const again = await withSession('').fetch(second, 'POST', '/session', {
        email: person.email,
        password: PASSWORD,
      });
      assert.equal(again.status, 401, await again.text());
    });

    test('a member who is removed at one has no account at the other', async () => {
      const { person, session } = await join('removed');
      assert.equal(await statusOf(session, second, '/keys'), 200);
      const { data } = (await (await operator.fetch(first, 'GET', '/members')).json()) as {
        readonly data: readonly { readonly user: { readonly id: number; readonly email: string } }[];
      };
      const id = data.find(({ user }) => user.email === person.email)?.user.id;
      await done(await operator.fetch(first, 'DELETE', `/members/${id}`));
      assert.notEqual(await statusOf(session, second, '/keys'), 200);
    });

    test('an authenticator that was set up at one is required at the other', async () => {
      const { person, session } = await join('totp');
      const begun = await session.fetch(first, 'POST', '/profile/totp', { password: PASSWORD });
      const { data } = (await begun.json()) as { readonly data: { readonly secret: string } };
      await done(
        await session.fetch(first, 'POST', '/profile/totp/confirm', { code: codeAt(data.secret, Date.now()) }),
      );
      const { email, password } = person;
      const half = await withSession('').fetch(second, 'POST', '/session', { email, password });
      assert.equal(half.status, 200);
      assert.match(await half.text(), /totp/);
      const cookie = (half.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
      assert.notEqual(await statusOf(withSession(cookie), second), 200, 'the password alone is not enough');
    });

    test('a mailbox gets as many invitations from all nodes as from one', async () => {
      const { session } = await join('inviting');
      const statuses: number[] = [];
      for (let sent = 0; sent <= INVITED_MAX; sent += 1) {
        const node = sent % 2 === 0 ? first : second;
        const answer = await session.fetch(node, 'POST', '/invitations', { email: 'often@example.com' });
        statuses.push(answer.status);
      }
      assert.equal(statuses.pop(), 429);
      assert.ok(
        statuses.every((status) => status < 300),
        `${statuses}`,
      );
    });
  });
