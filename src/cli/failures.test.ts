/**
 * Goal: failed commands print helpful errors, and stored text cannot manipulate a terminal. Method: `runCli` over the real control plane in
 * memory, or one that fails on purpose.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlOf } from '../../test/support/control-plane.ts';
import { openFixture } from '../../test/support/control-services.ts';
import { commandRunner } from '../../test/support/run-commands.ts';
import { projectId } from '../core/ids.ts';

/** With `fails`, every posted entry fails with it. */
async function openBench({ fails = null }: { readonly fails?: Error | null } = {}) {
  const fixture = await openFixture();
  const { services } = fixture;
  if (fails !== null) services.ledger.sealedThrough = () => Promise.reject(fails);
  const control = controlOf(services);
  const runner = commandRunner({ control, now: () => fixture.clock.now() });
  const run = (...words: string[]) => runner.run(words);
  return { ...fixture, run };
}

test('the reference for a retry is printed only if an entry may have been posted', async () => {
  const { run } = await openBench({ fails: new Error('the disk is gone') });
  const fresh = await run('balance', 'add', '5');
  assert.equal(fresh.code, 1);
  const [, printed, again] =
    /reference was ([0-9a-f-]{36}); try again with --reference ([0-9a-f-]{36})\./.exec(fresh.notes) ?? [];
  assert.ok(printed !== undefined && printed === again, fresh.notes);
  const given = await run('balance', 'add', '5', '--reference', 'r'.repeat(200));
  assert.match(given.notes, /not known whether it was posted; try again with the same --reference \(r{79}…\)\./);
  assert.doesNotMatch(given.notes, /r{81}/);
  for (const words of [
    ['balance', 'add', '5', '--account', 'nosuch'],
    ['balance', 'refund', 'gen-nonsense'],
    ['balance', 'refund', 'gen-01JDM0Q3V8000000000000000A'],
    ['balance', 'add', '--amount=-5'],
  ])
    assert.doesNotMatch((await run(...words)).notes, /reference/, words.join(' '));
});

test('an empty name is reported as empty, and an unknown value is a usage error', async () => {
  const { run } = await openBench();
  const empty = await run('projects', 'create', '');
  assert.deepEqual([empty.code, empty.notes], [2, 'turnpike: the name is empty']);
  assert.equal((await run('keys', 'create', '--name', '   ')).code, 2);
  assert.equal((await run('keys', 'create', '--operations', 'fly')).code, 2);
});

test('no key is created in an archived project, named or default, and no other project is used instead', async () => {
  const { run, scopes } = await openBench();
  await scopes.updateProject(projectId(1), { archived: true });
  const unnamed = await run('keys', 'create');
  assert.deepEqual([unnamed.code, unnamed.out], [1, '']);
  assert.equal(
    unnamed.notes,
    'turnpike: The oldest project, "Default", is archived; choose another one with --project.',
  );
  assert.match((await run('keys', 'create', '--project', 'Default')).notes, /"Default" is archived/);
  assert.match((await run('keys', 'create', '--project', 'nosuch')).notes, /No project/);
  assert.equal((await run('keys', 'create', '--project', 'staging')).code, 0);
});

test('keys of an archived project are listed as archived', async () => {
  const { run, scopes } = await openBench();
  await run('keys', 'create', '--name', 'ci');
  assert.match((await run('keys', 'list')).out, /ci .* active /);
  await scopes.updateProject(projectId(1), { archived: true });
  assert.match((await run('keys', 'list')).out, /ci .* archived /);
});

test('stored control characters are printed escaped', async () => {
  const { run, services } = await openBench();
  const { key } = await services.keys.create({
    projectId: projectId(1),
    name: 'a\u001b[2Jb\u202e',
    kind: 'inference',
  });
  for (const { out } of [await run('keys', 'list'), await run('keys', 'disable', String(key.id))])
    assert.ok(out.includes('a\\u001b[2Jb\\u202e'), out);
});
