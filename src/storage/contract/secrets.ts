/** The contract of every storage for secrets: they are the same on every run, and sealed values can be sealed again. */
import assert from 'node:assert/strict';
import type { UserId } from '../../members/ports.ts';
import type { Promising } from './storage-under-test.ts';

const SECRET = Buffer.from('01aaaaaaaaaaaaaaaa1111', 'hex');

export function secretPromises(promise: Promising): void {
  promise('pepper and sealing keys are the same after reopening, and are never printed', async (subject) => {
    const { pepper, sealingKeys } = subject.storage.secrets;
    assert.match(pepper.reveal(), /^[0-9a-f]{64}$/);
    assert.ok(sealingKeys.length > 0);
    const again = await subject.reopen();
    assert.equal(again.storage.secrets.pepper.reveal(), pepper.reveal());
    assert.deepEqual(
      again.storage.secrets.sealingKeys.map(({ secret }) => secret.reveal()),
      sealingKeys.map(({ secret }) => secret.reveal()),
    );
    assert.ok(!JSON.stringify(again.storage.secrets).includes(pepper.reveal()));
    return again;
  });

  promise(
    'TOTP secrets can be sealed again, and answers of creations are listed by their beginnings',
    async (subject) => {
      const { users, sealed, creations } = subject.storage;
      for (const name of ['ada', 'bob'])
        await users.createUser({
          email: `${name}@example.com`,
          name,
          passwordHash: null,
          isOperator: false,
          createdAt: 1,
          emailConfirmedAt: null,
        });
      await users.updateUser(2 as UserId, { totpSecret: SECRET });
      const claim = { keyDigest: Buffer.alloc(32, 1), bodyDigest: Buffer.alloc(32, 2), createdAt: 1, expiresAt: 2 };
      await creations.begin(claim, 0);
      await creations.finish(claim, { status: 201, body: SECRET });
      const found = (await sealed.sealed()).map(({ about, sealed: value }) => [about, Buffer.from(value)]);
      assert.deepEqual(found, [['totp:2', SECRET]]);
      const resealed = Buffer.from('resealed');
      assert.equal(await sealed.replaceSealed('totp:1', SECRET, resealed), false);
      assert.equal(await sealed.replaceSealed('totp:2', SECRET, resealed), true);
      assert.equal(await sealed.replaceSealed('totp:2', SECRET, Buffer.from('late')), false);
      assert.deepEqual(Buffer.from((await users.user(2 as UserId))?.totpSecret ?? []), resealed);
      const [head, ...others] = (await sealed.expiringHeads()).map((each) => Buffer.from(each));
      assert.ok(head !== undefined && others.length === 0);
      assert.deepEqual(head, SECRET.subarray(0, head.length));
      return undefined;
    },
  );
}
