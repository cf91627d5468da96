/**
 * Goal: flags that npm kept for itself are reported, with the line to type; no port is ignored silently. Method: what npm 11
 * passes on for each way of writing them, as arguments and environment; npm itself, on a package whose script prints both.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { configFlags } from '../src/config/load-config.ts';

interface NpmFlags {
  readonly SERVE_FLAGS: readonly string[];
  swallowedFlags(
    words: readonly string[],
    environment: Readonly<Record<string, string | undefined>>,
    about?: { readonly command: string; readonly flags: readonly string[] },
  ): string | null;
}

const file = pathToFileURL(join(import.meta.dirname, 'npm-flags.mjs')).href;
const { SERVE_FLAGS, swallowedFlags } = (await import(file)) as NpmFlags;

test('the launcher knows every flag that sets an option', () => {
  assert.deepEqual([...SERVE_FLAGS].sort(), [...configFlags].sort());
});

test('every flag of serve is found, however npm kept it', () => {
  for (const flag of SERVE_FLAGS) {
    const name = `npm_config_${flag.replaceAll('-', '_')}`;
    const inOne = swallowedFlags([], { [name]: '9000' }) ?? '';
    assert.equal(inOne.split('\n')[1], `  npm start -- --${flag} 9000`);
    const apart = swallowedFlags(['9000'], { [name]: 'true' }) ?? '';
    assert.equal(apart.split('\n')[1], `  npm start -- --${flag} 9000`);
    assert.match(apart, new RegExp(`npm took --${flag} for`));
  }
});

test('if it is unclear which value belongs to which flag, none is guessed', () => {
  const said = swallowedFlags(['9000', 'x'], { npm_config_port: 'true', npm_config_data: 'true' }) ?? '';
  assert.match(said, /npm took --port and --data/);
  assert.match(said, /-- --port … --data …$/);
  const mixed = swallowedFlags(['x'], { npm_config_port: '9000', npm_config_data: 'true' }) ?? '';
  assert.match(mixed, /-- --port 9000 --data x$/);
});

test("npm's own settings, empty ones and flags that were passed on are not reported", () => {
  assert.equal(swallowedFlags(['--port', '9000'], {}), null);
  assert.equal(
    swallowedFlags([], { npm_config_loglevel: 'silent', npm_config_noproxy: '', npm_config_json: 'true' }),
    null,
  );
  assert.equal(swallowedFlags([], { npm_config_port: '' }), null);
  assert.equal(swallowedFlags(['--port', '9000'], { npm_config_port: '77' }), null);
  assert.equal(swallowedFlags(['--port=9000'], { npm_config_port: '77' }), null);
});

test('npm passes flags on as this file expects', { skip: spawnSync('npm', ['--version']).error !== undefined }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-npm-'));
  try {
    const script =
      'node -p "JSON.stringify([process.argv.slice(1),process.env.npm_config_port,process.env.npm_config_data])" --';
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'x', scripts: { start: script } }));
    for (const line of [['--port', '9000'], ['--port=9000'], ['--data=x', '--port', '9000']]) {
      const { stdout } = spawnSync('npm', ['start', '--silent', ...line], { cwd: folder, encoding: 'utf8' });
      const [words, port, data] = JSON.parse(stdout) as [string[], string | undefined, string | undefined];
      const said = swallowedFlags(words, { npm_config_port: port, npm_config_data: data }) ?? '';
      assert.match(said, /--port 9000/, line.join(' '));
    }
    const { stdout } = spawnSync('npm', ['start', '--silent', '--', '--port', '9000'], {
      cwd: folder,
      encoding: 'utf8',
    });
    assert.deepEqual(JSON.parse(stdout), [['--port', '9000'], null, null]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
