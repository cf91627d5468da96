/**
 * Goal: invalid names get an error that an operator understands, on every route. Method: the control plane's routes over services in
 * memory.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlOf } from '../../../../test/support/control-plane.ts';
import { openFixture } from '../../../../test/support/control-services.ts';

test('names of projects, keys and accounts must be plain text of a bounded length', async () => {
  const { services } = await openFixture();
  const control = controlOf(services);
  const routes = [
    ['POST', '/control/api/projects'],
    ['POST', '/control/api/keys'],
    ['PATCH', '/control/api/projects/1'],
    ['PATCH', '/control/api/accounts/1'],
  ] as const;
  const names: [unknown, RegExp][] = [
    ['a\u001bb', /^name: it holds a control character/],
    ['a\u202eb', /turns the direction of writing\.$/],
    ['', /^name: it is empty\.$/],
    ['x'.repeat(201), /^name: it is longer than 200 characters\.$/],
    [7, /^name: it must be text\.$/],
  ];
  for (const [method, url] of routes)
    for (const [name, message] of names) {
      const answer = await control.inject({ method, url, payload: { name } as Record<string, unknown> });
      assert.equal(answer.statusCode, 400, `${method} ${url} ${name}`);
      assert.equal(answer.json().error.code, 'invalid_value');
      assert.match(answer.json().error.message, message);
    }
});
