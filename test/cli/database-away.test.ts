/**
 * Goal: whatever command an operator types while the database is away, the answer is one sentence that says what to do, and the exit code says
 * that it failed. Method: every command of the table, against a port at which nothing listens, and through a node whose database is gone.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { commands } from '../../src/cli/commands/index.ts';
import { freePort } from '../support/free-port.ts';
import { serverNames } from '../support/postgres/servers.ts';
import { NODE_SECRETS, startNodes, type TestNodes } from '../support/start-nodes.ts';
import { type Outcome, turnpikeProcess, turnpikeWith } from './process.ts';

const [server] = serverNames;

/** What each needs, so that it is the database that it fails at; null if it opens none (or the journal), or says what it found in rows. */
const WORDS: Readonly<Record<string, string | null>> = {
  serve: null,
  restore: null,
  'config check': null,
  doctor: null,
  'nodes set-aside': null,
  version: null,
  'keys update': 'a --rpm 5',
  'keys rotate': 'a',
  'keys disable': 'a',
  'keys enable': 'a',
  'keys revoke': 'a',
  'projects create': 'a',
  'projects update': 'a --rpm 5',
  'projects archive': 'a',
  'accounts create': 'a',
  'accounts update': 'a --rpm 5',
  'accounts close': 'a --confirm a',
  'aliases create': 'a --to demo/echo=1',
  'aliases update': 'a --to demo/echo=1',
  'aliases delete': 'a',
  'batches show': 'batch_01m2jf0cg0j14288cbjse7vpsr',
  'batches cancel': 'batch_01m2jf0cg0j14288cbjse7vpsr',
  'balance add': '5',
  'balance refund': 'gen-01m2jf0cg0j14288cbjse7vpsr 0.02',
  'ledger seal': '2026-10',
  'ledger adopt': '--yes',
  backup: 'copy',
  migrate: '--to sqlite:moved',
  'models diff': 'prices.json',
  'models import': 'prices.json',
  'models pin': 'openai gpt-5',
  'providers add': 'mine --key env:KEY',
  'providers update': 'mine --key env:KEY',
  'providers enable': 'mine',
  'providers disable': 'mine',
  'providers remove': 'mine',
  'providers show': 'mine',
  'providers add-credential': 'mine --key env:KEY',
  'providers remove-credential': 'mine 1',
  'byok add': 'openai --key env:KEY',
  'byok update': 'a --name b',
  'byok rotate': 'a --key env:KEY',
  'byok enable': 'a',
  'byok disable': 'a',
  'byok remove': 'a',
  'people disable': 'a@example.com',
  'people enable': 'a@example.com',
  'operators add': 'a@example.com',
  'operators remove': 'a@example.com',
};

/** The lines of all commands that open a database. */
const lines = commands
  .filter(({ name }) => WORDS[name] !== null)
  .map(({ name }) => [...name.split(' '), ...(WORDS[name]?.split(' ') ?? [])]);

const turnpike = (folder: string, ...line: readonly string[]) => turnpikeWith({ KEY: 'sk-made-up' }, folder, ...line);

const PRICES = JSON.stringify({ 'gpt-5': { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 1e-6 } });

function folderWith(file: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-command-'));
  writeFileSync(join(folder, 'turnpike.yaml'), JSON.stringify({ dataFolder: join(folder, 'data'), ...file }));
  writeFileSync(join(folder, 'prices.json'), PRICES);
  return folder;
}

/** One line, which begins with the program and ends as a sentence does, without the place in the code or a password. */
function checkSentence(line: readonly string[], { code, out, notes }: Outcome, says: RegExp): void {
  const what = `${line.join(' ')}: ${code} ${notes}${out}`;
  assert.equal(code, 1, what);
  assert.match(notes, /^turnpike: [A-Z][^\n]+\.$/, what);
  assert.match(notes, says, what);
  assert.doesNotMatch(`${notes}${out}`, /\n {4}at |node_modules|pg-pool|a-password/, what);
}

test('at a port at which nothing listens, every command says so, and where to correct it', async () => {
  const url = `postgres://turnpike:a-password@127.0.0.1:${await freePort()}/turnpike`;
  const folder = folderWith({ ...NODE_SECRETS, demo: false, database: { url } });
  const says = /Nothing listens at 127\.0\.0\.1:\d+, where the database is expected\. .*\(DATABASE_URL\)/;
  try {
    assert.ok(lines.length > 50, `${lines.length}`);
    for (const line of lines) checkSentence(line, await turnpike(folder, ...line), says);
    // As a process, which prints whatever nobody has caught.
    for (const line of [['nodes'], ['migrate', '--to', 'sqlite:moved']])
      checkSentence(line, await turnpikeProcess(folder, ...line), says);
    const examined = await turnpike(folder, 'doctor');
    assert.equal(examined.code, 1);
    assert.match(examined.out, /^fail {2}database: Nothing listens at /m);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('at a node whose database is gone', { skip: server === undefined }, () => {
  let nodes: TestNodes;
  let folder: string;
  before(async () => {
    nodes = await startNodes(1, server ?? 18);
    const [node] = nodes.nodes;
    folder = folderWith({ ...nodes.fileOf('a-command'), dataFolder: node?.dataFolder });
    await nodes.database.drop();
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await nodes.close();
  });

  test('a command that needs it fails with a sentence, and no other prints a stack', async () => {
    let failed = 0;
    for (const line of lines) {
      // Asks a provider, not the database, and has rows for what it finds.
      if (line[1] === 'test') continue;
      const { code, out, notes } = await turnpike(folder, ...line);
      if (code === 0) continue;
      assert.doesNotMatch(`${notes}${out}`, /\n {4}at |node_modules|pg-pool/, line.join(' '));
      assert.match(notes, /^turnpike: [^\n]+$/m, line.join(' '));
      failed += 1;
    }
    assert.ok(failed > 20, `${failed} failed`);
    for (const line of [['nodes'], ['ledger', 'verify'], ['balance', 'show']])
      checkSentence(line, await turnpike(folder, ...line), /database/);
  });
});
