/** Goal: everything sealed is found to be sealed anew. Method: rows put into a real database past the stores. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSqliteUnderTest } from '../sqlite/sqlite-under-test.ts';

test('secrets of second factors are found by their users and replaced, and heads of what expires are told', async (context) => {
  const subject = await openSqliteUnderTest();
  context.after(() => subject.dispose());
  const beside = subject.openBeside();
  beside.exec(
    `INSERT INTO users (id, email, name, is_operator, totp_secret, created_at) VALUES (7, 'a@example.com', 'A', 0, x'01ff', 1), (8, 'b@example.com', 'B', 0, NULL, 1);
     INSERT INTO creations (key_digest, body_digest, status, answer, created_at, expires_at)
       VALUES (x'01', x'02', 201, x'01aaaaaaaaaaaaaaaa1111', 1, 2), (x'03', x'02', 201, x'01aaaaaaaaaaaaaaaa2222', 1, 2), (x'04', x'02', NULL, NULL, 1, 2)`,
  );
  const { sealed } = subject.storage;
  const rows = await sealed.sealed();
  assert.deepEqual(
    rows.map(({ about, sealed }) => [about, Buffer.from(sealed).toString('hex')]),
    [['totp:7', '01ff']],
  );
  assert.equal(await sealed.replaceSealed('totp:7', Buffer.from('01ff', 'hex'), Buffer.from('02', 'hex')), true);
  assert.equal(await sealed.replaceSealed('totp:8', Buffer.from('01ff', 'hex'), Buffer.from('02', 'hex')), false);
  const [user] = beside.prepare('SELECT hex(totp_secret) AS secret FROM users WHERE id = 7').all();
  assert.equal(user?.['secret'], '02');
  beside.close();
  assert.deepEqual(
    (await sealed.expiringHeads()).map((head) => Buffer.from(head).toString('hex')),
    ['01aaaaaaaaaaaaaaaa'],
  );
});
