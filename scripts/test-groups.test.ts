/** Goal: no test file is left out or run twice, and none shares a process that it changes. Method: made-up files in a folder. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

interface TestGroups {
  groupTests(
    folder: string,
    files: readonly string[],
  ): readonly { readonly name: string; readonly files: readonly string[] }[];
}

const file = pathToFileURL(join(import.meta.dirname, 'test-groups.mjs')).href;
const { groupTests } = (await import(file)) as TestGroups;

const HARMLESS = "import { test } from 'node:test';\nprocess.env['HOME'] === '/';\n";
const FILES: Readonly<Record<string, string>> = {
  'src/core/harmless.test.ts': HARMLESS,
  'src/core/hook.test.ts': "import { after, test } from 'node:test';\n",
  'src/core/child.test.ts': "server.process.kill('SIGTERM');\n",
  'src/api/harmless.test.ts': HARMLESS,
  'test/life/ending.test.ts': HARMLESS,
  'src/core/variable.test.ts': "process.env['HOME'] = '/';\n",
  'src/core/variable-with-a-dot.test.ts': 'process.env.HOME = join(here);\n',
  'src/core/variable-deleted.test.ts': "delete process.env['HOME'];\n",
  'src/core/event.test.ts': "process.on('warning', note);\n",
  'src/core/global.test.ts': 'globalThis.fetch = answer;\n',
  'src/core/clock.test.ts': "import { mock } from 'node:test';\n",
  'src/core/patched.test.ts': 'Date.now = () => 0;\n',
  'src/core/clock-of-a-test.test.ts': 'context.mock.timers.enable();\n',
  'elsewhere/one.test.ts': HARMLESS,
};

test('only files that leave the process unchanged share one, and each file runs once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-groups-'));
  try {
    for (const [path, source] of Object.entries(FILES)) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), source);
    }
    const groups = groupTests(folder, Object.keys(FILES)).map(({ files }) => files);
    const shared = groups.filter((files) => files.length > 1);
    assert.deepEqual(shared, [['src/core/harmless.test.ts', 'src/core/hook.test.ts', 'src/core/child.test.ts']]);
    assert.deepEqual(groups.flat().sort(), Object.keys(FILES).sort());
    assert.ok(groups.every((files) => files.length > 0));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
