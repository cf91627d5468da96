/** Goal: a broken invariant stops the program, with the message passed to it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AssertionFailed, assertNever, assert as invariant } from './assert.ts';

test('a true assertion does nothing, a false one throws its message', () => {
  invariant(1 + 1 === 2, 'arithmetic');
  assert.throws(() => invariant(0, 'zero is not true'), { name: 'AssertionFailed', message: 'zero is not true' });
});

test('the error for a value outside its union contains that value', () => {
  assert.throws(
    () => assertNever('surprise' as never),
    (error) => error instanceof AssertionFailed && /surprise/.test(error.message),
  );
});
