/** Goal: what is copied from a console block can be pasted into a shell. Method: blocks of every kind that the docs have. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSourcePages } from '../../docs/source-pages.ts';
import { consoleCommands } from './console-commands.ts';

test('prompts and output are left out', () => {
  assert.equal(consoleCommands('$ npm start\n  Address  http://x\n\n$ ls data\na $ b'), 'npm start\nls data');
  assert.equal(consoleCommands('npm start\nls'), 'npm start\nls', 'a block without a prompt');
  assert.equal(consoleCommands('# systemctl start x\nok\n# ls\n$ x'), 'systemctl start x\nls', 'as root');
});

test('a command keeps the lines that continue it', () => {
  assert.equal(consoleCommands("$ curl x \\\n    -H 'a: b' \\\n    -d y\n{}"), "curl x \\\n    -H 'a: b' \\\n    -d y");
  assert.equal(consoleCommands(`$ echo '{\n  "it": "\\"\n}' | jq\n{}`), `echo '{\n  "it": "\\"\n}' | jq`);
  assert.equal(consoleCommands("$ cat > f <<'END'\n$ a \"\nEND\ndone\n$ ls"), "cat > f <<'END'\n$ a \"\nEND\nls");
});

test('every console block of the docs begins with a command, and its last command ends before the block does', () => {
  const pages = readSourcePages(join(import.meta.dirname, '..', '..', '..'));
  const blocks = pages.flatMap(({ file, markdown }) =>
    [...markdown.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, block = '']) => ({ file, block })),
  );
  assert.ok(blocks.length > 20);
  for (const { file, block } of blocks) {
    const prompt = /^[$#] /.exec(block)?.[0];
    assert.ok(prompt, `${file}: ${block}`);
    // A quote that is counted wrongly would swallow the prompts after it.
    const copied = consoleCommands(`${block}${prompt}last`);
    assert.doesNotMatch(copied, prompt === '$ ' ? /^\$ /m : /^# /m, `${file}: ${copied}`);
    assert.match(copied, /\nlast$/, file);
  }
});
