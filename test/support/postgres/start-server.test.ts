/** A server for tests ends with the process that started it: real processes, one of which is killed. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { installedMajors } from './installations.ts';

const START = `
  import { startServer } from ${JSON.stringify(import.meta.resolve('./start-server.ts'))};
  const { folder } = await startServer(Number(process.argv[1]));
  process.stdout.write(folder);
  setInterval(() => undefined, 1000);`;

for (const major of installedMajors())
  test(`a server of PostgreSQL ${major} and its data are gone after the process that started it was killed`, async () => {
    const starter = spawn(process.execPath, ['--input-type=module', '--eval', START, String(major)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const folder = String((await once(starter.stdout, 'data'))[0]);
    assert.equal(dirname(folder), tmpdir());
    assert.ok(existsSync(folder));
    const gone = new Promise<void>((resolve) => {
      const watcher = watch(tmpdir(), () => {
        if (existsSync(folder)) return;
        watcher.close();
        resolve();
      });
    });
    starter.kill('SIGKILL');
    await gone;
  });
