/** Goal: people and operators can also be managed on the machine itself. Method: the real program and command line. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from '../support/serve-process.ts';
import { turnpike } from './process.ts';

test('people are listed, made operators, and disabled; the last operator stays', {
  timeout: 60_000,
}, async (context) => {
  const server = await startServer({}, { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'a horse in the rain' });
  context.after(() => server.remove());
  const run = (...words: readonly string[]) => turnpike(server.folder, ...words);
  const list = await run('people', 'list');
  assert.match(list.out, /^ID +EMAIL.*\n1 +ada@example\.com +ada +active +yes +never +Default \(owner\)/);
  for (const words of [
    ['operators', 'remove'],
    ['people', 'disable'],
  ]) {
    const refused = await run(...words, 'ada@example.com');
    assert.deepEqual([refused.code, /last operator/.test(refused.notes)], [1, true]);
  }
  assert.match((await run('operators', 'add', '1')).out, /^ada \(ada@example\.com\) is now an operator\.$/);
  assert.match((await run('people', 'enable', 'ada@example.com')).out, /can sign in again\.$/);
  assert.equal((await run('people', 'disable', 'nobody@example.com')).code, 1);
  assert.equal(JSON.parse((await run('people', 'list', '--operators', '--json')).out).data.length, 1);
});
