/** Goal: it behaves like a set. Method: a model, and every possible removal during a visit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DenseSet, NO_INDEX } from './dense-set.ts';

test('it has the same members as a set after any additions and removals', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(7))), (steps) => {
      const members = Array.from({ length: 8 }, (_, name) => ({ name, index: NO_INDEX }));
      const set = new DenseSet<(typeof members)[number]>();
      const model = new Set<number>();
      for (const [adds, name] of steps) {
        const member = members[name];
        assert.ok(member !== undefined);
        if (adds) set.add(member);
        else set.delete(member);
        if (adds) model.add(name);
        else model.delete(name);
      }
      const seen: number[] = [];
      set.visit(({ name }) => void seen.push(name));
      assert.deepEqual(seen.sort(), [...model].sort());
      assert.equal(set.size, model.size);
    }),
  );
});

test('a visit may remove any member: none is visited twice or after its removal', () => {
  for (let remover = 0; remover < 4; remover += 1) {
    for (let leaver = 0; leaver < 4; leaver += 1) {
      const members = Array.from({ length: 4 }, (_, name) => ({ name, index: NO_INDEX }));
      const set = new DenseSet<(typeof members)[number]>();
      for (const member of members) set.add(member);
      const seen: number[] = [];
      const gone = new Set<number>();
      set.visit((member) => {
        assert.ok(!gone.has(member.name), 'it was removed before');
        seen.push(member.name);
        if (member.name !== remover) return;
        set.delete(members[leaver] as (typeof members)[number]);
        gone.add(leaver);
      });
      assert.equal(new Set(seen).size, seen.length);
      const expected = [0, 1, 2, 3].filter((name) => name !== leaver || seen.includes(leaver));
      assert.deepEqual(seen.sort(), expected);
    }
  }
});
