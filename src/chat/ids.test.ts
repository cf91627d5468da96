/**
 * Goal: tool ids that a format refuses become ones that it accepts, and calls still match their results.
 * Method: tables of ids as several vendors make them.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitToolId } from './ids.ts';

const RULE = { pattern: /^[a-zA-Z0-9_-]+$/, lengthMax: 64 };

test('an id that fits stays as it is', () => {
  for (const id of ['toolu_01A', 'call-7', 'a', 'x'.repeat(64)]) assert.equal(fitToolId(id, RULE), id);
});

test('an id that does not fit always becomes the same one that does', () => {
  const ids = [
    '',
    'functions.Bash:0',
    'x'.repeat(65),
    'call_é',
    '😀',
    'a b',
    'call_1\n',
    `call_1__thought__${'+/'.repeat(400)}`,
  ];
  for (const id of ids) {
    const fitted = fitToolId(id, RULE);
    assert.match(fitted, RULE.pattern, id);
    assert.ok(fitted.length <= RULE.lengthMax, id);
    assert.equal(fitToolId(id, RULE), fitted);
    assert.equal(fitToolId(fitted, RULE), fitted, 'a fitted id is not changed again');
  }
  assert.match(fitToolId('functions.Bash:0', RULE), /^functions_Bash_0_[0-9a-f]{12}$/);
  assert.match(fitToolId('', RULE), /^call_[0-9a-f]{12}$/);
});

test('distinct ids stay distinct', () => {
  const long = 'x'.repeat(100);
  const ids = ['a.b', 'a:b', 'a_b', 'a b', '', `${long}1`, `${long}2`, '\u{1f600}', '\u{1f601}'];
  assert.equal(new Set(ids.map((id) => fitToolId(id, RULE))).size, ids.length);
});

test('a shorter limit is respected', () => {
  const rule = { pattern: /^[\x21-\x7e]+$/, lengthMax: 40 };
  assert.equal(fitToolId('functions.Bash:0', rule), 'functions.Bash:0');
  assert.equal(fitToolId('y'.repeat(41), rule).length, 40);
});
