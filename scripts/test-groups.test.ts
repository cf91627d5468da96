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
  ): {
    readonly gathered: readonly { readonly name: string; readonly files: readonly string[] }[];
    readonly alone: readonly string[];
  };
}

const file = pathToFileURL(join(import.meta.dirname, 'test-groups.mjs')).href;
const { groupTests } = (await import(file)) as TestGroups;

const HARMLESS = "import { test } from 'node:test';\nprocess.env['HOME'] === '/';\n";
const FILES: Readonly<Record<string, string>> = {
  'src/core/harmless.test.ts': HARMLESS,
  'src/api/harmless.test.ts': HARMLESS,
  'src/corendered/other-folder.test.ts': HARMLESS,
  'src/core/hook.test.ts': "import { after, test } from 'node:test';\n",
  'src/core/hook-of-each.test.ts': "import { beforeEach, test } from 'node:test';\n",
  'src/core/hook-of-lines.test.ts': "import {\n  before,\n  test,\n} from 'node:test';\n",
  'src/core/variable.test.ts': "process.env['HOME'] = '/';\n",
  'src/core/variable-with-a-dot.test.ts': 'process.env.HOME = join(here);\n',
  'src/core/variable-deleted.test.ts': "delete process.env['HOME'];\n",
  'src/core/event.test.ts': "process.on('warning', note);\n",
  'src/core/global.test.ts': 'globalThis.fetch = answer;\n',
  'src/core/clock.test.ts': "import { mock } from 'node:test';\n",
  'src/core/patched.test.ts': 'Date.now = () => 0;\n',
  'src/core/clock-of-a-test.test.ts': 'context.mock.timers.enable();\n',
  'test/life/ending.test.ts': HARMLESS,
};

test('only files that leave the process as it was share one, and each file runs once', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-groups-'));
  try {
    for (const [path, source] of Object.entries(FILES)) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), source);
    }
    const { gathered, alone } = groupTests(folder, Object.keys(FILES));
    const shared = gathered.flatMap(({ files }) => files);
    assert.deepEqual(shared, ['src/core/harmless.test.ts', 'src/api/harmless.test.ts']);
    assert.deepEqual([...shared, ...alone].sort(), Object.keys(FILES).sort());
    assert.equal(gathered.length, 2, 'a group without a file is none');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
