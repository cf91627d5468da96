/**
 * Goal: OpenRouter's own client can create, list, read, change and delete keys. Method: that client against the door of management keys
 * with our handlers, on loopback.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OpenRouter } from '@openrouter/sdk';
import { type KeyFixture, openKeys } from '../../../../test/support/key-routes.ts';
import { type FakeHandler, MANAGEMENT_KEY, openDoors } from '../door/mount-fixture.ts';

test('keys are provisioned with the OpenRouter SDK', async () => {
  const { server } = openDoors({ doors: ['management'], handlers: real(await openKeys()) });
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  const { apiKeys } = new OpenRouter({ apiKey: MANAGEMENT_KEY, serverURL: `${url}/api/v1` });
  try {
    const made = await apiKeys.create({
      requestBody: {
        name: 'ci',
        limit: 12.5,
        limitReset: 'monthly',
        includeByokInLimit: true,
        expiresAt: new Date('2027-12-31'),
      },
    });
    assert.match(made.key, /^sk-tp-/);
    assert.deepEqual([made.data.limit, made.data.limitReset, made.data.workspaceId], [12.5, 'monthly', '1']);
    const { hash } = made.data;
    assert.equal((await apiKeys.get({ hash })).data.name, 'ci');
    const changed = await apiKeys.update({ hash, requestBody: { name: 'ci 2', disabled: true, limit: 20 } });
    assert.deepEqual([changed.data.name, changed.data.disabled, changed.data.limit], ['ci 2', true, 20]);
    assert.equal(changed.data.limitReset, 'monthly');
    assert.ok(changed.data.updatedAt !== null);
    assert.equal((await apiKeys.list({ offset: 0, includeDisabled: true })).data.length, 1);
    assert.equal((await apiKeys.list({ includeDisabled: false })).data.length, 0);
    assert.equal((await apiKeys.list({ offset: 1 })).data.length, 0);
    assert.deepEqual(await apiKeys.delete({ hash }), { deleted: true });
    assert.equal((await apiKeys.list()).data.length, 0);
  } finally {
    await server.close();
  }
});

/** Replaces the stand-in handlers of the doors. */
function real({ handlers }: KeyFixture): Readonly<Record<string, FakeHandler>> {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      name,
      ({ context, input }) => (handle as (context: unknown, input: unknown) => unknown)(context, input),
    ]),
  );
}
