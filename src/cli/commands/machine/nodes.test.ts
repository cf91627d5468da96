/** Goal: `turnpike nodes` shows at once which node was not heard of. Method: the command with an answer of the route. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandContext } from '../../command.ts';
import { listNodes } from './nodes.ts';

const NODE = {
  ...{ slot: 1, id: 'id', name: 'node-1', version: '0.1.0', state: 'live', answers: true, seen_ago_ms: 400 },
  ...{ seen_at: '2026-11-24T01:00:00.000Z', changes_behind: 0, unsent_since: null, lent: 0 },
};

test('a silent node has the time since it was seen', async () => {
  const out: string[] = [];
  const silent = { ...NODE, slot: 2, name: 'node-2', answers: false, state: 'silent', seen_ago_ms: 41_300 };
  const context = {
    json: false,
    control: async () => ({ call: async () => JSON.stringify({ shared: true, data: [NODE, silent] }) }),
    terminal: { out: (text: string) => out.push(...text.split('\n')), note: () => undefined, colour: false },
  } as unknown as CommandContext;
  assert.equal(await listNodes.run(context), 0);
  assert.match(out.find((line) => line.includes('node-1')) ?? '', /^1 +node-1 \(answers\) +0\.1\.0 +live +2026-11-24/);
  assert.match(out.find((line) => line.includes('node-2')) ?? '', /^2 +node-2 +0\.1\.0 +silent for 41 s +2026-11-24/);
});
