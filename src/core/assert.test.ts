/** Goal: a broken invariant stops the program, with the sentence it was given. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AssertionFailed, assertNever, assert as invariant } from './assert.ts';

test('an assertion that holds is silent, one that does not throws its sentence', () => {
  invariant(1 + 1 === 2, 'arithmetic');
  assert.throws(() => invariant(0, 'zero is not true'), { name: 'AssertionFailed', message: 'zero is not true' });
});

test('a value outside its union names itself', () => {
  assert.throws(
    () => assertNever('surprise' as never),
    (error) => error instanceof AssertionFailed && /surprise/.test(error.message),
  );
});
