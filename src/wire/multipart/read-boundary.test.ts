/** Goal: the boundary of a form is found as clients write it, and nothing else is one. Method: content types by hand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBoundary } from './read-boundary.ts';

test('a boundary is read as clients write it', () => {
  for (const [type, boundary] of [
    ['multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW', '----WebKitFormBoundary7MA4YWxkTrZu0gW'],
    ['Multipart/Form-Data;Boundary="a b"; charset=utf-8', 'a b'],
    [`multipart/form-data; boundary=${'x'.repeat(70)}`, 'x'.repeat(70)],
  ] as const)
    assert.equal(readBoundary(type), boundary);
});

test('what is no form, or has no valid boundary, has none', () => {
  for (const type of [
    undefined,
    '',
    'application/json',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary="x',
    'multipart/form-data; boundary="x "',
    'multipart/form-data; boundary=x; boundary=y',
    'multipart/mixed; boundary=x',
    `multipart/form-data; boundary=${'x'.repeat(71)}`,
    `multipart/form-data; boundary=${'x'.repeat(1_000_000)}`,
    'multipart/form-data; boundary=ü',
    'multipart/form-data; boundary="x\\"y"',
  ])
    assert.equal(readBoundary(type), null, String(type).slice(0, 80));
});
