/**
 * Goal: a person who makes a thousand changes at once is refused most of them clearly, and another's revocation is done at once
 * meanwhile. Method: a gateway on a real PostgreSQL server, requests over its port.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serverNames } from '../support/postgres/servers.ts';
import { startNodes } from '../support/start-nodes.ts';
import { signedIn } from './signed-in.ts';

interface Body {
  readonly error: { readonly message: string };
}

const FLOOD = 600;
/** The revocation alone takes some 20 ms; the rest is room for a busy machine. That the flood still runs says more. */
const REVOKED_MS = 10_000;

for (const server of serverNames.slice(0, 1))
  test(`PostgreSQL ${server}: a thousand changes of one person do not delay another's revocation`, async (context) => {
    const nodes = await startNodes(1, server);
    context.after(() => nodes.close());
    const [node] = nodes.nodes;
    assert.ok(node);
    const person = await signedIn(node);
    const post = async (body: object) =>
      (await (await person.fetch(node, 'POST', '/keys', body)).json()) as { key: string; data: { id: number } };
    const manager = await post({ name: 'revoker', kind: 'management' });
    const leaked = await post({ name: 'leaked' });

    let ended = 0;
    const flood = Array.from({ length: FLOOD }, async (_, index) => {
      const answer = await person.fetch(node, 'POST', '/keys', { name: `flood ${index}` });
      ended += 1;
      return { status: answer.status, wait: answer.headers.get('retry-after'), body: (await answer.json()) as Body };
    });
    await Promise.race(flood);
    const startedAt = performance.now();
    const revoked = await fetch(`${node.url}/api/v1/keys/${leaked.data.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${manager.key}` },
    });
    const tookMs = performance.now() - startedAt;
    assert.equal(revoked.status, 200, await revoked.text());
    assert.ok(ended < FLOOD, 'the flood still runs');
    assert.ok(tookMs < REVOKED_MS, `it took ${Math.round(tookMs)} ms`);

    const answers = await Promise.all(flood);
    const byStatus = Map.groupBy(answers, ({ status }) => status);
    assert.deepEqual([...byStatus.keys()].sort(), [201, 429]);
    for (const { wait, body } of byStatus.get(429) ?? []) {
      assert.equal(wait, '1');
      assert.match(body.error.message, /^You have 32 changes under way\. Wait for one of them to end/);
    }
    // Whoever waits as the answer says is served.
    assert.equal((await person.fetch(node, 'POST', '/keys', { name: 'afterwards' })).status, 201);
  });
