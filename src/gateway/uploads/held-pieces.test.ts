/** Goal: every byte is given once to each attempt, in order, and small pieces take no more memory than their bytes. Method: random operations. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FILE_END, HeldPieces } from './held-pieces.ts';

/** The end of a file as a byte that no piece has. */
const END = Buffer.from([0]);
const asBytes = (piece: ReturnType<HeldPieces['take']>) => (piece === FILE_END ? END : (piece ?? Buffer.alloc(0)));
const filesIn = (bytes: Buffer) => bytes.filter((byte) => byte === 0).length;

test('bytes come out as they went in, with the ends of files, whatever their pieces, and again after a rewind', () => {
  const step = fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 6_000, min: 1 }),
    fc.constantFrom('take', 'take', 'rewind', 'drop', 'end'),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const held = new HeldPieces();
      let all = Buffer.alloc(0);
      let given = Buffer.alloc(0);
      for (const each of steps) {
        if (each === 'take') given = Buffer.concat([given, asBytes(held.take())]);
        else if (each === 'drop') held.drop();
        else if (each === 'end') {
          held.endFile();
          all = Buffer.concat([all, END]);
        } else if (each === 'rewind') {
          if (!held.isWhole) continue;
          held.rewind();
          given = Buffer.alloc(0);
        } else {
          all = Buffer.concat([all, each]);
          held.add(Buffer.from(each));
        }
        const bytes = all.length - filesIn(all);
        assert.equal(held.unsentBytes, bytes - given.length + filesIn(given));
        assert.equal(held.heldBytes, held.isWhole ? bytes : held.unsentBytes);
      }
      for (let piece = held.take(); piece !== null; piece = held.take()) given = Buffer.concat([given, asBytes(piece)]);
      assert.ok(given.equals(all));
      assert.equal(held.bytes, all.length - filesIn(all));
    }),
    { numRuns: 300 },
  );
});

test('a byte at a time is held in few pieces', () => {
  const held = new HeldPieces();
  for (let count = 0; count < 100_000; count += 1) held.add(Buffer.from('x'));
  let pieces = 0;
  while (held.take() !== null) pieces += 1;
  assert.ok(pieces < 10, String(pieces));
});
