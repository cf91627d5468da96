/**
 * Goal: no command begins a new installation silently where a ledger is, or would be, elsewhere. Method: the real program with the data folder of
 * one server and of one node, on an empty database and without one.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openJournalDatabase } from '../../src/storage/journal/journal-database.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { createEmptyDatabase } from '../support/postgres/database.ts';
import { serverNames } from '../support/postgres/servers.ts';

const CLI = join(import.meta.dirname, '../../src/cli.ts');
const SECRETS = { TURNPIKE_PEPPER: '0123456789abcdef'.repeat(4), TURNPIKE_SEALING_KEY: 'fedcba9876543210'.repeat(4) };
const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

async function run(command: string, environment: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [CLI, ...command.split(' ')], {
    cwd: folder,
    env: childEnvironment({ PORT: '0', ...SECRETS, ...environment }),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (output += bytes));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/** Each command fails with this sentence, and no stack. */
async function refused(sentence: RegExp, commands: readonly string[], environment: Readonly<Record<string, string>>) {
  for (const command of commands) {
    const { code, output } = await run(command, environment);
    assert.ok(code !== 0 && code !== null, `${command}: ${output}`);
    assert.equal(output.split('\n').filter((line) => sentence.test(line)).length, 1, `${command}: ${output}`);
    assert.doesNotMatch(output, /^\s+at |Error:/m, command);
  }
}

for (const server of serverNames.slice(0, 1))
  test(`PostgreSQL ${server}: an empty database is refused while the ledger of the data folder has not moved`, async (context) => {
    const empty = await createEmptyDatabase(server);
    context.after(() => empty.drop());
    const data = { TURNPIKE_DATA: join(folder, 'unmoved') };
    const made = await run('keys create --name first', data);
    assert.equal(made.code, 0, made.output);
    await refused(
      /has a ledger \(turnpike\.db\) that did not move, .* is empty\. Run turnpike migrate --to postgres first\./,
      ['serve', 'doctor', 'keys list'],
      { DATABASE_URL: empty.url, ...data },
    );
    assert.equal((await run('keys list', data)).code, 0, 'it is still served where it is');
  });

test('the data folder of a node is refused without a database', async () => {
  const data = join(folder, 'of-a-node');
  mkdirSync(data, { mode: 0o700 });
  openJournalDatabase(data, 'NORMAL').close();
  await refused(
    /is that of a node .* DATABASE_URL is not set\. Set it/,
    ['serve', 'doctor', 'keys list', 'keys create --name second'],
    { TURNPIKE_DATA: data },
  );
  assert.ok(!existsSync(join(data, 'turnpike.db')));
});
