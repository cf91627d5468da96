/** Goal: each role may do the right things to each other role. Method: the complete table. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Role } from './ports.ts';
import { isAtLeast, isDemotion, mayChangeMember, mayGive, ROLES } from './roles.ts';

/** For each role: which of owner, admin, developer, viewer it applies to. */
type Table = Readonly<Record<Role, string>>;

const TABLES: readonly (readonly [string, (one: Role, other: Role) => boolean, Table])[] = [
  ['is at least', isAtLeast, { owner: 'oadv', admin: 'adv', developer: 'dv', viewer: 'v' }],
  ['loses something as', isDemotion, { owner: 'adv', admin: 'dv', developer: 'v', viewer: '' }],
  ['may invite to, and give,', mayGive, { owner: 'oadv', admin: 'adv', developer: '', viewer: '' }],
  ['may change and remove', mayChangeMember, { owner: 'oadv', admin: 'adv', developer: '', viewer: '' }],
];

for (const [what, may, table] of TABLES)
  for (const one of ROLES)
    test(`${one} ${what} ${table[one] === '' ? 'nobody' : table[one]}`, () => {
      const those = ROLES.filter((other) => may(one, other)).map((role) => role[0]);
      assert.equal(those.join(''), table[one]);
    });
