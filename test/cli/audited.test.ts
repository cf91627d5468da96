/** Goal: changes by commands are in the running program's audit log. Method: the real program, queried over its control socket. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ask } from '../dashboard/ask.ts';
import { startServer } from '../support/serve-process.ts';

test('creating and revoking a key by command are logged as the command line’s', {
  timeout: 60_000,
}, async (context) => {
  const server = await startServer({});
  context.after(() => server.remove());
  const control = (method: string, path: string, body?: object) =>
    ask(join(server.dataFolder, 'control.sock'), { method, path, ...(body && { body }) });
  const made = await control('POST', '/control/api/keys', { name: 'ci' });
  assert.equal(made.status, 201);
  await control('DELETE', `/control/api/keys/${made.json.data.id}`);
  const { json, text } = await control('GET', '/control/api/audit?action=key.');
  assert.deepEqual(
    json.data.map(({ action, actor, subject, account_id }: Entry) => [action, actor, subject.name, account_id]),
    ['key.revoke', 'key.create'].map((action) => [action, COMMAND_LINE, 'ci', 1]),
  );
  assert.ok(!text.includes(made.json.key));
  assert.equal((await control('POST', '/control/api/audit/verify')).json.data.ok, true);
});

interface Entry {
  readonly action: string;
  readonly actor: object;
  readonly subject: { readonly name: string };
  readonly account_id: number;
}

const COMMAND_LINE = { kind: 'operator', id: null, name: 'Command line' };
