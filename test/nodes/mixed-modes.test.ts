/**
 * Goal: accounts pay in one way at all nodes of a database, and an operator learns where nodes are configured differently. Method: whole gateways
 * on a real server, and what `doctor` says of them.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { checkDatabase, type DatabaseChecksParts } from '../../src/cli/commands/machine/database-checks.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { type ConfigFile, openGateway } from '../support/open-gateway.ts';
import { serverNames } from '../support/postgres/servers.ts';
import { startNodes } from '../support/start-nodes.ts';

/** The row of `doctor`, run with this configuration where no server runs. */
async function settingsRow(context: TestContext, file: ConfigFile): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-test-'));
  context.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'turnpike.yaml'), JSON.stringify({ dataFolder: join(folder, 'data'), ...file }));
  const { config } = loadConfig({ flags: {}, environment: {}, cwd: folder });
  const program = { name: 'turnpike', serve: 'turnpike serve' } as DatabaseChecksParts['program'];
  const { checks } = await checkDatabase(config, { now: Date.now, program, running: null });
  const row = checks.find(({ name }) => name === 'settings');
  return row === undefined ? 'none' : `${row.state}: ${row.detail}`;
}

for (const server of serverNames.slice(0, 1))
  test(`PostgreSQL ${server}: nodes that are configured differently`, async (context) => {
    const nodes = await startNodes(1, server, { billing: { mode: 'prepaid', markup: 10 } });
    context.after(() => nodes.close());
    const file = nodes.fileOf('other');
    for (const mode of ['postpaid', 'off'])
      await assert.rejects(
        openGateway({ ...file, billing: { mode } }),
        new RegExp(
          `^Error: Node node-1 of this database has billing\\.mode prepaid, and this one ${mode}: accounts would pay in two ways\\. ` +
            'Set billing\\.mode to prepaid here; or, to change it, stop all nodes first, and start them with the other one\\.',
        ),
      );
    const same = { ...file, billing: { mode: 'prepaid', markup: 10 } };
    assert.equal(await settingsRow(context, same), 'ok: those of the nodes that run');
    assert.match(
      await settingsRow(context, { ...same, billing: { mode: 'off', markup: 10 } }),
      /^fail: .*node-1 has billing\.mode prepaid, here it is off.* does not start$/,
    );
    const different = await settingsRow(context, { ...same, billing: { mode: 'prepaid', markup: 12 }, providers: [] });
    assert.match(
      different,
      /^warn: not those of all nodes that run: node-1 has billing\.markup 10, here it is 12; node-1 has other providers; what callers get/,
    );
    const text = JSON.stringify(file['providers']);
    const [secret = ''] = /"(sk-[^"]+|test-[^"]+)"/.exec(text) ?? [];
    assert.ok(secret === '' || !different.includes(secret));

    const [node] = nodes.nodes;
    await node?.close();
    const changed = await openGateway({ ...file, billing: { mode: 'off' } });
    await changed.close();
  });
