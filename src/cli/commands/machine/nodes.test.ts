/**
 * Goal: `turnpike nodes` shows at once which node was not heard of, and its words are explained, the same everywhere. Method: the command with an
 * answer of the route; its help, the page's legend and the guide.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { NODE_WORDS as WORDS_OF_PAGE } from '../../../../web/src/pages/nodes/node-words.ts';
import { nodeRoutes } from '../../../api/contract/nodes.ts';
import { NODE_WORDS } from '../../../nodes/node-words.ts';
import type { CommandContext } from '../../command.ts';
import { helpText } from '../../help-text.ts';
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

test('every state and every column that needs words is explained by the help, by the page and by the guide, in the same words', () => {
  const words = NODE_WORDS.map(([word]) => word);
  const { state } = nodeRoutes.listNodes.answer.shape.data.element.shape;
  for (const each of state.options) assert.ok(words.includes(each), each);
  for (const column of ['changes behind', 'unsent since', 'lent']) assert.ok(words.includes(column), column);
  assert.deepEqual(WORDS_OF_PAGE, NODE_WORDS);
  const help = helpText(listNodes);
  const guide = readFileSync(join(import.meta.dirname, '../../../../docs/guide/operations.md'), 'utf8').replaceAll(
    /\s+/g,
    ' ',
  );
  for (const [word, meaning] of NODE_WORDS) {
    assert.match(help, new RegExp(`^  ${word} +${meaning.slice(0, 20)}`, 'm'));
    assert.ok(guide.includes(meaning), `${word}: ${meaning}`);
  }
});

test('nodes that have the same name are listed, with the option that gives each a name', async () => {
  const notes: string[] = [];
  const data = [1, 2].map((slot) => ({ ...NODE, slot, name_is_shared: true }));
  const context = {
    json: false,
    control: async () => ({ call: async () => JSON.stringify({ shared: true, data }) }),
    terminal: { out: () => undefined, note: (text: string) => notes.push(text), colour: false },
  } as unknown as CommandContext;
  assert.equal(await listNodes.run(context), 0);
  assert.deepEqual(notes, [
    'More than one node is named node-1. Give each a name of its own: nodes.name (TURNPIKE_NODES_NAME).',
  ]);
});
