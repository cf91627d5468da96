// Goal: the menu shows what a person may open, in groups, and nothing else. Method: a few routes, and people with
// different roles.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Audience, Viewer } from './is-open-to.ts';
import { type MenuGroup, menuEntries, menuGroups } from './menu-groups.ts';

const ROUTES: readonly (Audience & { readonly path: string; readonly menu?: { readonly group: MenuGroup } })[] = [
  { path: '/', menu: { group: null }, accountless: true },
  { path: '/keys', menu: { group: 'Build' } },
  { path: '/keys/:id' },
  { path: '/usage', menu: { group: 'Observe' } },
  { path: '/audit', menu: { group: 'Observe' }, role: 'admin', accountless: 'operator' },
  { path: '/providers', menu: { group: 'Operate' }, operator: true, accountless: true },
];

function shown(viewer: Viewer): string[] {
  return menuGroups(ROUTES, viewer).map(
    ({ group, entries }) => `${group}: ${entries.map(({ path }) => path).join(' ')}`,
  );
}

test('operators get every group, in order', () => {
  assert.deepEqual(shown({ isOperator: true, role: 'owner' }), [
    'null: /',
    'Build: /keys',
    'Observe: /usage /audit',
    'Operate: /providers',
  ]);
});

test('a viewer gets neither the audit log nor an empty group', () => {
  assert.deepEqual(shown({ isOperator: false, role: 'viewer' }), ['null: /', 'Build: /keys', 'Observe: /usage']);
});

test('an operator without an account keeps the pages that do not need one', () => {
  assert.deepEqual(shown({ isOperator: true, role: null }), ['null: /', 'Observe: /audit', 'Operate: /providers']);
});

test('routes without a menu entry are in no list', () => {
  const entries = menuEntries(ROUTES, { isOperator: true, role: 'owner' });
  assert.ok(!entries.some(({ path }) => path === '/keys/:id'));
});
