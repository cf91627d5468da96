/**
 * Goal: an operator's commands for money and limits work on a running server, and on its folder afterwards. Method: the real
 * program over a scripted provider; calls are made between the commands, of which some are a process and most run in this one.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chatBody, scriptedProvider } from '../support/open-gateway.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { type ServeProcess, startServer } from '../support/serve-process.ts';
import { answerWell } from '../support/upstream-scripts.ts';
import { turnpike, turnpikeProcess } from './process.ts';

let upstream: ScriptedUpstream;
let server: ServeProcess;
before(async () => {
  upstream = await startScriptedUpstream(answerWell);
  server = await startServer({
    demo: false,
    billing: { mode: 'prepaid' },
    providers: [scriptedProvider('scripted', upstream.origin)],
  });
});
after(async () => {
  await server.remove();
  await upstream.close();
});

const run = (...words: readonly string[]) => turnpike(server.folder, ...words);

async function call(key: string, stream = false): Promise<Response> {
  return fetch(`${server.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(chatBody(stream)),
  });
}

test('a balance is topped up once, calls take from it, and the ledger is right all the while', async () => {
  assert.equal((await turnpikeProcess(server.folder, 'balance', 'add', '7', '--reference', 'pay-1')).code, 0);
  assert.match((await run('balance', 'add', '7', '--reference', 'pay-1')).out, /^Nothing changed/);
  for (let index = 0; index < 5; index += 1) {
    const answer = await call(server.key, index % 2 === 0);
    assert.equal(answer.status, 200);
    await answer.text();
  }
  const verified = await run('ledger', 'verify');
  assert.equal(verified.code, 0, verified.out + verified.notes);
  assert.match(verified.out, /5 settlements/);
  assert.match((await run('balance', 'show')).out, /^charged +\$0\.\d+$/m);
});

test('a call is refunded, and the export accounts for all money', async () => {
  const [settled] = await server.settlements();
  const refund = await run('balance', 'refund', settled?.id ?? '');
  assert.equal(refund.code, 0, refund.notes);
  assert.equal((await run('balance', 'refund', settled?.id ?? '')).code, 1);
  const { out } = await run('ledger', 'export', '--format', 'jsonl');
  const transfers = out.split('\n').map((line) => JSON.parse(line));
  assert.equal(transfers.filter(({ debit }) => debit === 'available').length, 5);
  assert.equal(transfers.filter(({ debit, call }) => debit === 'revenue' && call === settled?.id).length, 1);
  assert.equal(transfers.filter(({ reference }) => reference === 'pay-1').length, 1);
});

test('limits of a key apply immediately, and so do disabling, rotating and archiving', async () => {
  const { out: key } = await run('keys', 'create', '--name', 'limited', '--rpm', '1');
  assert.equal((await call(key)).status, 200);
  assert.equal((await call(key)).status, 429);
  assert.equal((await run('keys', 'update', 'limited', '--rpm', 'none', '--models', 'other/*')).code, 0);
  assert.equal((await call(key)).status, 403);
  assert.equal((await run('keys', 'update', 'limited', '--models', 'none', '--budget', 'day=0.000000001')).code, 0);
  assert.equal((await call(key)).status, 402);
  assert.equal((await run('keys', 'update', 'limited', '--budget', 'day=none')).code, 0);
  assert.equal((await run('keys', 'disable', 'limited')).code, 0);
  assert.equal((await call(key)).status, 401);
  assert.equal((await run('keys', 'enable', 'limited')).code, 0);
  const { out: successor } = await run('keys', 'rotate', 'limited', '--grace', '1h');
  assert.deepEqual([(await call(key)).status, (await call(successor)).status], [200, 200]);
  assert.equal((await run('projects', 'archive', 'Default')).code, 0);
  assert.equal((await call(successor)).status, 401);
  assert.equal((await run('projects', 'archive', 'Default', '--undo')).code, 0);
  assert.equal((await call(successor)).status, 200);
});

test('a backup of the running server is restored and verified, and the doctor reports it', async () => {
  const backup = await run('backup', 'copy');
  assert.equal(backup.code, 0, backup.notes);
  const running = await run('restore', 'copy', '--data', server.dataFolder);
  assert.equal(running.code, 1);
  assert.match(running.notes, /A server is running on/);
  mkdirSync(join(server.folder, 'elsewhere'));
  const restored = await run('restore', 'copy', '--data', 'elsewhere');
  assert.equal(restored.code, 0, restored.out + restored.notes);
  assert.match(restored.out, /The ledger is correct/);
  assert.equal((await run('restore', 'copy', '--data', 'elsewhere')).code, 1);
  const { out } = await run('doctor');
  assert.match(out, /^ok {4}ledger: 1 balances correct/m);
  assert.match(out, /^ok {4}backup: /m);
  const listed = await run('keys', 'list', '--data', 'elsewhere');
  assert.match(listed.out, /limited/);
});

test('a restore lists the keys that are valid again, and revokes all of them if asked', async () => {
  const folder = 'copy-of-rights';
  const made = await run('keys', 'create', '--name', 'leaked');
  assert.equal((await call(made.out)).status, 200);
  assert.equal((await run('backup', folder)).code, 0);
  assert.equal((await run('keys', 'revoke', 'leaked')).code, 0);
  const kept = await run('restore', folder, '--data', 'kept-rights');
  assert.equal(kept.code, 0, kept.notes);
  assert.match(
    kept.out,
    /active again even if revoked or used since: \d+ keys, 0 invitations, 0 sessions and \d one-use links/,
  );
  assert.match(kept.out, /^ {2}key \d+ "leaked" \(sk-tp-….{4}\) of Default \/ Default$/m);
  const revoked = await run('restore', folder, '--data', 'no-rights', '--revoke-all', '--json');
  assert.equal(revoked.code, 0, revoked.notes);
  const { data } = JSON.parse(revoked.out);
  assert.equal(data.restored.revoked, true);
  assert.ok(data.restored.keys.some(({ name }: { name: string }) => name === 'leaked'));
  assert.equal(JSON.parse((await run('keys', 'list', '--data', 'no-rights', '--json')).out).total_count, 0);
  assert.match((await run('audit', 'verify', '--data', 'no-rights')).out, /is intact/);
  assert.match((await run('keys', 'list', '--data', 'kept-rights')).out, /leaked/);
});

test('the current month cannot be sealed', async () => {
  const month = new Date().toISOString().slice(0, 7);
  const { code, notes } = await run('ledger', 'seal', month);
  assert.equal(code, 1);
  assert.match(notes, /can be sealed from/);
});

test('without a server the commands work on the folder, and one that was tampered with fails', async () => {
  const exited = once(server.process, 'exit');
  server.process.kill('SIGTERM');
  await exited;
  assert.equal((await run('ledger', 'verify', '--archive')).code, 0);
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(join(server.dataFolder, 'turnpike.db'));
  database.exec('UPDATE balances SET balance_nano = balance_nano + 1');
  database.close();
  const { code, out } = await turnpikeProcess(server.folder, 'ledger', 'verify');
  assert.equal(code, 1);
  assert.match(out, /^balance_is_the_sum {2}account 1: the balance is/m);
  const doctor = await run('doctor');
  assert.equal(doctor.code, 1);
  assert.match(doctor.out, /^fail {2}ledger: account 1/m);
});
