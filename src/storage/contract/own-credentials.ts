/** The contract of every storage for own credentials of accounts and projects. */
import assert from 'node:assert/strict';
import type { OwnCredentialId, StoredOwnCredential } from '../../byok/ports.ts';
import { type AccountId, projectId } from '../../core/ids.ts';
import type { Storage } from '../storage.ts';
import type { Promising } from './storage-under-test.ts';

const ID = '0b1c2d3e-4f50-4a61-8b72-839405a6b7c8' as OwnCredentialId;

export function ownCredentialPromises(promise: Promising): void {
  promise('own credentials are read as they were written, even after reopening', async (subject) => {
    const [full, bare] = await samples(subject.storage);
    for (const each of [full, bare]) assert.ok((await subject.storage.ownCredentials.create(each)).seq > 0);
    const reopened = await subject.reopen();
    const { ownCredentials } = reopened.storage;
    assert.deepEqual((await ownCredentials.list()).map(plain), [plain(bare), plain(full)]);
    assert.deepEqual(plain(await ownCredentials.find(ID)), plain(full));
    assert.equal(await ownCredentials.find('none' as OwnCredentialId), null);
    assert.equal(await ownCredentials.countOf(full.accountId), 2);
    assert.equal(await ownCredentials.countOf(999 as AccountId), 0);
    return reopened;
  });

  promise(
    'a change of an own credential affects the given fields only, and is published with its row',
    async (subject) => {
      const { ownCredentials, feed } = subject.storage;
      const [full] = await samples(subject.storage);
      const news: (StoredOwnCredential | null)[] = [];
      feed.subscribe('ownCredential', ({ row }) => news.push(row));
      await ownCredentials.create(full);
      const changes = {
        name: 'renamed',
        models: null,
        use: 'only',
        enabled: true,
        previous: null,
        previousUntil: null,
      } as const;
      const changed = await ownCredentials.update(ID, changes);
      assert.equal(changed?.seq, await feed.last());
      assert.deepEqual(plain(changed), plain({ ...full, ...changes }));
      assert.deepEqual((await ownCredentials.list()).map(plain), [plain({ ...full, ...changes })]);
      assert.equal(await ownCredentials.update('none' as OwnCredentialId, { enabled: false }), null);
      assert.deepEqual([await ownCredentials.delete(ID), await ownCredentials.delete(ID)], [true, false]);
      assert.deepEqual(
        news.map((row) => row?.name ?? null),
        ['mine', 'renamed', null],
      );
      assert.deepEqual(await ownCredentials.list(), []);
    },
  );

  promise('both secrets of an own credential are sealed again, each only if it is unchanged', async (subject) => {
    const { ownCredentials, sealed } = subject.storage;
    const [full] = await samples(subject.storage);
    await ownCredentials.create(full);
    const rows = await sealed.sealed();
    const place = `own:${ID}:${full.accountId}:${full.projectId}`;
    assert.deepEqual(
      rows.map(({ about }) => about),
      [`${place}:secret`, `${place}:previous`],
    );
    for (const { about, sealed: before } of rows) {
      const after = Buffer.from(`again ${about}`);
      assert.equal(await sealed.replaceSealed(about, Buffer.from('else'), after), false);
      assert.equal(await sealed.replaceSealed(about, Buffer.from(before), after), true);
    }
    // A change that gives no secret leaves what was sealed again meanwhile.
    await ownCredentials.update(ID, { enabled: true });
    assert.deepEqual(
      (await sealed.sealed()).map((each) => Buffer.from(each.sealed).toString()),
      [`again ${place}:secret`, `again ${place}:previous`],
    );
  });
}

/** One of a project with everything, and an older one of its account with little. */
async function samples({ accounts }: Storage): Promise<readonly [StoredOwnCredential, StoredOwnCredential]> {
  const account = await accounts.createAccount({ name: 'Acme', createdAt: 1 });
  const project = await accounts.createProject({ accountId: account.id, name: 'Default', createdAt: 1 });
  const full: StoredOwnCredential = {
    id: ID,
    accountId: account.id,
    projectId: projectId(project.id),
    kind: 'vertex',
    name: 'mine',
    origin: 'https://llm.example/base',
    options: { region: null, project: 'p-1', location: 'global' },
    models: ['google/*', 'openai/gpt-5.1'],
    use: 'first',
    fallback: true,
    enabled: false,
    position: 3,
    secret: Buffer.from([1, 2, 0, 255]),
    hint: 'last',
    previous: Buffer.from([9]),
    previousUntil: 5000,
    createdAt: 1001,
    createdBy: 'user:1',
    updatedAt: 1002,
    standing: 'rejected',
    standingAt: 1003,
    seq: 0,
  };
  const bare: StoredOwnCredential = {
    ...full,
    id: 'f0000000-0000-4000-8000-000000000000' as OwnCredentialId,
    projectId: null,
    kind: 'openai',
    origin: null,
    options: {},
    models: null,
    use: 'only',
    fallback: false,
    enabled: true,
    hint: null,
    previous: null,
    previousUntil: null,
    createdAt: 1000,
    standing: 'untested',
    standingAt: null,
  };
  return [full, bare];
}

/** Bytes as text: databases return different array types. */
function plain(credential: StoredOwnCredential | null) {
  if (credential === null) return null;
  const { secret, previous, seq: _seq, ...rest } = credential;
  return {
    ...rest,
    secret: Buffer.from(secret).toString('hex'),
    previous: previous && Buffer.from(previous).toString('hex'),
  };
}
