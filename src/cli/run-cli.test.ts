/**
 * Goal: commands have the right output, exit code and connection to the control plane. Method: `runCli` with a recording terminal; the
 * control plane is the real one over services in memory, opened in process or listening on a real socket file.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { controlOf } from '../../test/support/control-plane.ts';
import { type Fixture, openFixture, record, troubled } from '../../test/support/control-services.ts';
import { listenControl } from '../api/control-socket.ts';
import type { Prices } from '../catalog/model.ts';
import { FREE } from '../catalog/prices.ts';
import type { Config } from '../config/config.ts';
import { type ConfigSource, configSource } from '../config/config-source.ts';
import { generationId } from '../core/ids.ts';
import { nanoUsd, picoUsd } from '../core/money.ts';
import { runAtOnce } from '../core/turns/steps.ts';
import type { CallRecord } from '../stats/record.ts';
import { controlSocketPath } from '../storage/folder/control-socket.ts';
import type { OpenedApp } from './doors.ts';
import { runCli } from './run-cli.ts';

/** The tests' folders are outside of the project, and no search path is set. */
const PROGRAM = join(import.meta.dirname, '../../bin/turnpike.js');
const root = mkdtempSync(join(tmpdir(), 'turnpike-cli-'));
after(() => rmSync(root, { recursive: true }));

interface Run {
  readonly code: number;
  readonly out: string;
  readonly notes: string;
}

interface Bench extends Fixture {
  readonly cwd: string;
  /** How often the data folder was opened in process, and closed again. */
  readonly counts: { opened: number; closed: number };
  /** What closing the data folder fails with; it works if null. */
  readonly closing: { error: Error | null };
  run(line: string, options?: { environment?: Record<string, string>; wait?: () => Promise<void> }): Promise<Run>;
}

/** Its data folder exists, unless a test needs none. */
async function openBench({ installed = true } = {}): Promise<Bench> {
  const fixture = await openFixture();
  const cwd = mkdtempSync(join(root, 'run-'));
  if (installed) {
    mkdirSync(join(cwd, 'data'), { mode: 0o700 });
    writeFileSync(join(cwd, 'data', 'turnpike.db'), '', { mode: 0o600 });
  }
  const counts = { opened: 0, closed: 0 };
  const closing: Bench['closing'] = { error: null };
  return {
    ...fixture,
    cwd,
    counts,
    closing,
    async run(line, { environment = {}, wait = async () => {} } = {}) {
      const out: string[] = [];
      const notes: string[] = [];
      const openApp = async (config: Config): Promise<OpenedApp> => {
        assert.equal(config.log.level, 'silent');
        counts.opened += 1;
        const control = controlOf(fixture.services);
        const close = async () => {
          counts.closed += 1;
          if (closing.error !== null) throw closing.error;
        };
        return { control, close };
      };
      const code = await runCli(
        line.split(' ').filter((word) => word !== ''),
        {
          environment,
          cwd,
          terminal: { out: (text) => out.push(text), note: (text) => notes.push(text), colour: false },
          doors: {
            openApp,
            wait,
            now: () => fixture.clock.now(),
            serve: async (config) => {
              out.push(`serving on ${config.port} from ${config.dataFolder}`);
              return 0;
            },
          },
        },
      );
      return { code, out: out.join('\n'), notes: notes.join('\n') };
    },
  };
}

test('keys create prints the secret alone, so that a script can take it', async () => {
  const { run, counts } = await openBench();
  const { code, out, notes } = await run('keys create --name=ci --project staging --expires 30d');
  assert.equal(code, 0);
  assert.match(out, /^sk-tp-[0-9A-Za-z]{49}$/);
  assert.match(notes, /Key 1 "ci" created in project staging, until 2026-12-31 00:00:00 UTC/);
  assert.doesNotMatch(notes, /sk-tp-\w/);
  assert.deepEqual(counts, { opened: 1, closed: 1 });
});

test('keys create may create the data folder, and says so; only the requested key is created', async () => {
  const { run, cwd } = await openBench({ installed: false });
  const { code, out, notes } = await run('keys create');
  assert.equal(code, 0);
  assert.ok(notes.includes(join(cwd, 'data')), notes);
  assert.match(out, /^sk-tp-\w+$/);
  assert.doesNotMatch(notes, /sk-tp-\w/);
});

test('the other commands create no data folder, and name the missing one', async () => {
  const { run, cwd, counts } = await openBench({ installed: false });
  mkdirSync(join(cwd, 'empty'));
  const commands = ['keys list', 'keys revoke x', 'models list', 'providers list', 'providers test', 'records tail'];
  for (const line of commands) {
    for (const folder of ['typo', 'empty']) {
      const { code, out, notes } = await run(`${line} --data ${folder}`);
      assert.equal(code, 2, line);
      assert.equal(out, '', line);
      assert.equal(
        notes,
        `turnpike: no Turnpike data in ${join(cwd, folder)}; start the server first (\`${PROGRAM} serve\`) or check --data`,
        line,
      );
    }
    // The command line is valid here.
    assert.equal((await run(line)).code, 1, line);
    assert.equal((await run(line, { environment: { TURNPIKE_DATA: 'typo' } })).code, 1, line);
  }
  assert.equal(counts.opened, 0);
  assert.ok(!existsSync(join(cwd, 'typo')));
});

test('doctor creates no data folder either, and says why no provider was tested', async () => {
  const { run, cwd, counts } = await openBench({ installed: false });
  const { code, out } = await run('doctor --online', { environment: { PORT: '0' } });
  assert.equal(code, 0);
  assert.match(
    out,
    /^warn {2}providers: not tested: no Turnpike data in .*data; start the server first \(`\S+ serve`\)/m,
  );
  assert.equal(counts.opened, 0);
  assert.ok(!existsSync(join(cwd, 'data')));
});

test('a duplicate key name is a warning when it is set, and an error with the ids when it is used', async () => {
  const { run } = await openBench();
  assert.doesNotMatch((await run('keys create --name one')).notes, /too;/);
  const second = await run('keys create --name one');
  assert.equal(second.code, 0);
  assert.match(
    second.notes,
    /^Key 1 has the same name, "one"; use id 2 in commands, or rename one with keys update\.$/m,
  );
  assert.match((await run('keys create --name one')).notes, /^Keys 1, 2 have the same name, "one"; use id 3 /m);
  const ambiguous = await run('keys update one --name other');
  assert.equal(ambiguous.code, 1);
  assert.equal(ambiguous.notes, 'turnpike: Several keys match; use one of these ids: 1, 2, 3.');
  await run('keys revoke 3');
  await run('keys update 2 --name two');
  assert.match((await run('keys update 2 --name one')).notes, /^Key 1 has the same name, "one"; use id 2 /m);
  assert.equal((await run('keys disable 2')).notes, '');
});

test('keys are listed and revoked by name', async () => {
  const { run } = await openBench();
  await run('keys create --name one');
  await run('keys create --name two --management');
  const revoked = await run('keys revoke one');
  assert.equal(revoked.code, 0);
  assert.match(revoked.out, /^Key 1 "one" \(sk-tp-….{4}\) revoked\.$/);
  const list = await run('keys list');
  assert.match(list.out, /^ID +NAME/);
  assert.doesNotMatch(list.out, /one/);
  assert.match(list.out, /two .*active, management/);
  assert.match((await run('keys list --all')).out, /one .*revoked/);
  assert.equal(JSON.parse((await run('keys list --json')).out).total_count, 1);
});

test('revoking a management key lists the keys it created, or revokes them too', async () => {
  const { run, services } = await openBench();
  for (const name of ['one', 'two']) {
    await run(`keys create --name ${name} --management`);
    const { id, projectId } = [...services.keys.newestFirst()][0] ?? assert.fail();
    for (const made of ['a', 'b'])
      await services.keys.create({ projectId, name: `${name} ${made}`, createdBy: `key:${id}` });
  }
  const left = await run('keys revoke one');
  assert.match(
    left.out,
    /revoked\.\n2 keys that it created stay active; revoke those no longer needed:\n {2}3 "one b" .*, active\n {2}2 "one a"/,
  );
  const revoked = await run('keys revoke two --with-made');
  assert.match(revoked.out, /revoked\.\n2 keys that it created were revoked as well\.$/);
  const { out } = await run('keys list');
  assert.match(out, /one a[\s\S]*one b/);
  assert.doesNotMatch(out, /two/);
});

test('a refusal of the control plane is one sentence and exit code 1', async () => {
  const { run, counts } = await openBench();
  const { code, out, notes } = await run('keys revoke nobody');
  assert.equal(code, 1);
  assert.equal(out, '');
  assert.equal(notes, 'turnpike: No key has this id, label or name.');
  assert.deepEqual(counts, { opened: 1, closed: 1 });
});

test('what cannot be closed after a command is one sentence and exit code 1, and its result is printed', async () => {
  const { run, closing } = await openBench();
  closing.error = new Error('Connection terminated unexpectedly');
  const { code, out, notes } = await run('keys list');
  assert.match(out, /^ID /);
  assert.deepEqual([code, notes], [1, 'turnpike: Connection terminated unexpectedly']);
});

test('a usage error is exit code 2 with the nearest name, and opens nothing', async () => {
  const { run, counts } = await openBench();
  const cases: [string, RegExp][] = [
    ['', /a command is missing/],
    ['srve', /unknown command srve; did you mean serve\? Or see `\S+turnpike\.js help` for all commands/],
    ['bogus', /unknown command bogus; see `\S+turnpike\.js help` for all commands$/],
    ['keys', /unknown command keys; try keys create, keys list, keys update, keys rotate, .*keys revoke/],
    ['keys crate', /unknown command keys crate; try /],
    ['keys list --jsn', /unknown flag --jsn; did you mean --json\?/],
    ['keys list --__proto__', /unknown flag --__proto__/],
    ['keys list -x', /unknown flag -x/],
    ['keys create --name', /--name needs a value: --name <name>/],
    ['keys create --name --json', /--name needs a value/],
    ['keys create --name=', /--name needs a value/],
    ['keys list --json=yes', /--json takes no value/],
    ['keys revoke', /keys revoke needs <id\|label\|name>/],
    ['keys revoke a b', /keys revoke does not take "b"/],
    ['version now', /version does not take "now"/],
    ['keys create --expires soon', /--expires soon is not a time/],
    ['keys create --expires 2027-02-31', /is not a time/],
    ['records tail --lines 0', /--lines must be between/],
    ['records tail --metadata team', /--metadata must be <name>:<value>/],
  ];
  for (const [line, expected] of cases) {
    const { code, out, notes } = await run(line);
    assert.equal(code, 2, line);
    assert.equal(out, '', line);
    assert.match(notes, expected, line);
  }
  assert.equal(counts.opened, 0);
});

test('help is printed for the program and for each command', async () => {
  const { run } = await openBench();
  assert.match((await run('--help')).out, /keys revoke <id\|label\|name>/);
  const { code, out } = await run('keys create --help');
  assert.equal(code, 0);
  for (const flag of ['--name <name>', '--expires <30d|date>', '--data <folder>', '--json'])
    assert.ok(out.includes(flag), flag);
  assert.match((await run('serve --help')).out, /--port <value>/);
});

test('a broken configuration is exit code 1 with every problem and its line', async () => {
  const { run, cwd } = await openBench();
  writeFileSync(join(cwd, 'turnpike.yaml'), 'prot: 1\nport: high\n');
  for (const line of ['keys list', 'config check', 'serve']) {
    const { code, notes } = await run(line);
    assert.equal(code, 1, line);
    assert.match(
      notes,
      /^turnpike\.yaml:1: prot: is not an option; did you mean port\?\nturnpike\.yaml:2: port: must be a number, not text$/,
    );
  }
});

test('an invalid value of a flag is a usage error; the same value in the environment is not', async () => {
  const { run } = await openBench();
  const cases: [string, RegExp][] = [
    ['serve --port 99999', /^flag --port: port: /],
    ['serve --port abc', /^flag --port: port: must be a number/],
    ['serve --port=-1', /^flag --port: port: /],
    ['serve --port 80.5', /^flag --port: port: /],
    ['serve --port=', /--port needs a value/],
    ['serve --host=', /--host needs a value/],
    ['serve --log-level loud', /^flag --log-level: log\.level: /],
    ['serve --public-url nowhere', /^flag --public-url: publicUrl: /],
    ['serve --trust-proxy 99', /^flag --trust-proxy: trustProxy: /],
    ['serve --config nothing.yaml', /^flag --config: the file cannot be read/],
    ['keys list --config nothing.yaml', /^flag --config: the file cannot be read/],
    ['serve --prot 1', /unknown flag --prot; did you mean --port\?/],
  ];
  for (const [line, expected] of cases) {
    const { code, out, notes } = await run(line);
    assert.equal(code, 2, line);
    assert.equal(out, '', line);
    assert.match(notes, expected, line);
  }
  const { code, notes } = await run('serve', { environment: { PORT: '99999' } });
  assert.equal(code, 1);
  assert.match(notes, /^environment PORT: port: /);
  // As compose files write "not set".
  assert.equal((await run('serve', { environment: { HOST: '' } })).code, 0);
});

test('serve takes the options as flags', async () => {
  const { run, cwd } = await openBench();
  const { out } = await run('serve --port 9001 --data=store');
  assert.equal(out, `serving on 9001 from ${join(cwd, 'store')}`);
});

test('config check shows the source of each value and masks secrets', async () => {
  const { run, cwd } = await openBench();
  writeFileSync(join(cwd, 'turnpike.yaml'), 'host: 0.0.0.0\n');
  const environment = { PORT: '9000', OPENAI_API_KEY: 'sk-canary-0123456789' };
  const { code, out } = await run('config check', { environment });
  assert.equal(code, 0);
  assert.match(out, /^host +0\.0\.0\.0 +turnpike\.yaml:1$/m);
  assert.match(out, /^port +9000 +environment PORT$/m);
  assert.match(out, /^limits\.bodyBytesMax +33554432 +default$/m);
  assert.match(out, /^limits\.memoryBytes +[1-9]\d{6,} +default$/m);
  assert.match(out, /^providers\.openai\.credential +\[secret\] +environment OPENAI_API_KEY$/m);
  const json = await run('config check --json', { environment });
  assert.doesNotMatch(out + json.out, /canary/);
  assert.ok(JSON.parse(json.out).data.length > 20);
  assert.equal(JSON.parse((await run('config check --schema')).out).title, 'turnpike.yaml');
});

test('config check shows the effective price and limits of each model, known or assumed', async () => {
  const { run, cwd } = await openBench();
  const yaml = `providers:
  - name: lab
    origin: https://lab.example.com
    models:
      - { upstream: priced, prices: { input: 0.15, output: 0.6 }, contextWindow: 32000 }
      - { upstream: unpriced }
      - { upstream: gift, prices: free }
      - { upstream: painter, prices: { units: { image: 0.04 } } }
      - { upstream: o3-copy, id: openai/o3 }
  - name: home
    origin: http://10.0.0.5
    models: [{ upstream: own, outputCap: 4000 }]
  - name: openai
    credential: c-1
    models: [{ upstream: gpt-4o, outputCap: 999 }]
`;
  writeFileSync(join(cwd, 'turnpike.yaml'), yaml);
  const { out } = await run('config check');
  const row = (option: string) =>
    new RegExp(`^providers\\.${option} +(.*?) +turnpike\\.yaml:\\d+$`, 'm').exec(out)?.[1];
  assert.equal(row('lab\\.models\\.lab/priced'), '$0.15 input, $0.6 output; window 32000, cap 8000 (assumed)');
  const unpriced = 'no price: not served in prepaid mode; window 200000 (assumed), no cap';
  assert.equal(row('lab\\.models\\.lab/unpriced'), unpriced);
  assert.match(row('lab\\.models\\.lab/painter') ?? '', /^\$0 input, \$0 output, \$0\.04 image; /);
  assert.equal(row('lab\\.models\\.lab/gift'), 'free; window 200000 (assumed), no cap');
  assert.match(row('lab\\.models\\.openai/o3') ?? '', /^\$2 input, \$8 output; window 200000, cap 100000$/);
  assert.equal(row('home\\.models\\.home/own'), 'free; window 200000 (assumed), cap 4000');
  assert.match(row('openai\\.models\\.openai/gpt-4o') ?? '', /^\$2\.5 input, \$10 output; window 128000, cap 999$/);
});

test('models and providers are listed, and a provider that fails its test is exit code 1', async () => {
  const { run } = await openBench();
  assert.match(
    (await run('models list')).out,
    /^acme\/large +mine +openai-chat +1000 +250 \(assumed\) +3 +15 +built-in +-$/m,
  );
  assert.doesNotMatch((await run('models list small')).out, /large/);
  assert.equal(JSON.parse((await run('models list small --json')).out).total_count, 1);
  assert.match((await run('providers list')).out, /^mine +custom +http:\/\/mine\.internal\/v1\/chat\/completions /m);
  const good = await run('providers test mine');
  assert.deepEqual([good.code, good.out], [0, 'ok      mine: 2 models, 12 ms']);
  const all = await run('providers test');
  assert.equal(all.code, 1);
  assert.match(all.out, /failed {2}broken: The provider rejected the credential/);
  assert.equal((await run('providers test nobody')).code, 1);
});

test('models list shows assumed limits for a model with an unknown context window', async () => {
  const { run, services } = await openBench();
  const models = services.catalog.all().map((model) => ({
    ...model,
    contextWindow: null,
    targets: model.targets.map((target) => ({ ...target, contextWindow: null })),
  }));
  Object.assign(services.catalog, { all: () => models });
  assert.match(
    (await run('models list')).out,
    /^acme\/large +mine +openai-chat +200000 \(assumed\) +8192 \(assumed\) +3 +15 +built-in +-$/m,
  );
  const [row] = JSON.parse((await run('models list large --json')).out).data;
  assert.deepEqual([row.context_length, row.targets[0].context_length_assumed], [null, true]);
});

test('models list shows what a model costs by the piece', async () => {
  const { run, services } = await openBench();
  const units = [
    { unit: 'image', price: picoUsd(10_000_000_000n) },
    { unit: 'image/big', price: picoUsd(170_000_000_000n) },
  ];
  const [model] = services.catalog.all();
  assert.ok(model !== undefined);
  const priced = (id: string, prices: Prices) => ({
    ...model,
    id,
    targets: model.targets.slice(0, 1).map((target) => ({ ...target, prices })),
  });
  const { prices } = model.targets[0] ?? {};
  assert.ok(prices);
  const models = [
    priced('acme/painter', { ...FREE, units }),
    priced('acme/mixed', { ...prices, units: units.slice(0, 1) }),
    priced('acme/gift', FREE),
  ];
  Object.assign(services.catalog, { all: () => models });
  const { out } = await run('models list');
  assert.match(out, /^acme\/painter .* - +0\.01-0\.17\/image +built-in +-$/m);
  assert.match(out, /^acme\/mixed .* \d+ +\d+ \+ 0\.01\/image +built-in +-$/m);
  assert.match(out, /^acme\/gift .* 0 +0 +built-in +-$/m);
  const { data } = JSON.parse((await run('models list --json')).out);
  assert.deepEqual(
    data.map(({ targets: [first] }: { targets: { units?: object }[] }) => first?.units),
    [{ image: '0.01', 'image/big': '0.17' }, { image: '0.01' }, undefined],
  );
});

test('models list says of a price that nobody has set that it is assumed', async () => {
  const { run, services } = await openBench();
  const models = services.catalog.all().map((model) => ({
    ...model,
    targets: model.targets.map((target) => ({ ...target, prices: FREE, priceOrigin: 'unknown' as const })),
  }));
  Object.assign(services.catalog, { all: () => models });
  assert.match((await run('models list')).out, /^acme\/large .* 0 +0 +assumed +-$/m);
});

test('models without a provider are listed on request, with the variables that would add one', async () => {
  const { run } = await openBench();
  const usual = await run('models list gpt-4o-mini');
  assert.doesNotMatch(usual.out, /gpt/);
  assert.match(usual.notes, /^No available model matches; try `models list --all gpt-4o-mini`\.$/);
  const all = await run('models list --all');
  assert.match(all.out, /^MODEL +PROVIDERS .* NEEDS$/m);
  assert.match(all.out, /^openai\/gpt-4o-mini .* {2}OPENAI_API_KEY or OPENROUTER_API_KEY$/m);
  assert.match(all.out, /^acme\/large +mine +openai-chat +1000 +250 \(assumed\) +3 +15 +built-in +-$/m);
  const json = JSON.parse((await run('models list --all gpt-4o-mini --json')).out);
  const model = json.data.find(({ id }: { id: string }) => id === 'openai/gpt-4o-mini');
  assert.deepEqual(model.targets, []);
  assert.deepEqual(model.needs, ['OPENAI_API_KEY', 'OPENROUTER_API_KEY']);
});

test('records keep the digits of money, in text and in JSON', async () => {
  const { run, records, clock } = await openBench();
  records.push(record(clock.now(), 100n), record(clock.now() + 1, 12_345_678_901_234_567_890n));
  const { out } = await run('records tail');
  assert.match(out, /2026-12-01 00:00:00 {2}200 {2}complete {2}acme\/large \(mine\) {2}15\+7 tokens {2}\$0\.0000001 /);
  assert.match(out, /\$12345678901\.23456789 /);
  const lines = (await run('records tail --json --lines 2')).out.split('\n');
  assert.equal(lines.length, 2);
  assert.match(lines[1] ?? '', /"cost":12345678901\.23456789,/);
});

test('a call of which only the settlement is left has dashes in place of its status and time', async () => {
  const { run, records, clock } = await openBench();
  records.push({ ...record(clock.now(), 100n), status: 0, durationMs: 0, firstByteMs: null, attempts: [] });
  const { out } = await run('records tail');
  assert.match(out, /2026-12-01 00:00:00 {2}– {2}complete {2}acme\/large .* {2}– {2}gen-/);
});

test('a call that was not charged what it cost says so, and one from the cache what it saved', async () => {
  const { run, records, clock } = await openBench();
  const usual = record(clock.now(), 3_300n);
  records.push(
    { ...usual, ownCredential: true, charge: nanoUsd(165n) },
    { ...usual, usageSource: 'cache', cost: nanoUsd(0n), charge: nanoUsd(0n), saved: nanoUsd(3_300n) },
    { ...usual, charge: nanoUsd(3_300n) },
  );
  const lines = (await run('records tail')).out.split('\n');
  assert.match(
    lines[0] ?? '',
    /acme\/large \(mine, own credential\) {2}15\+7 tokens {2}\$0\.0000033, charged \$0\.000000165 /,
  );
  assert.match(lines[1] ?? '', /\(mine, from the cache\) .* {2}\$0, saved \$0\.0000033 /);
  assert.match(lines[2] ?? '', /\(mine\) .* {2}\$0\.0000033 {2}\d/);
});

test('a key shows for how long equal requests are answered again', async () => {
  const { run } = await openBench();
  await run('keys create --name quick --cache 300');
  assert.match((await run('keys list')).out, / {2}cache 300 s$/m);
  assert.match((await run('keys update quick --rpm 60')).out, /updated: 60 rpm, cache 300 s\.$/);
  assert.match((await run('keys update quick --rpm none --cache none')).out, /updated: -\.$/);
});

test('a running server is asked over its socket, and the data folder is not opened', async () => {
  const { run, cwd, counts, services } = await openBench();
  const dataFolder = join(cwd, 'data');
  const server = controlOf(services);
  await listenControl(server, controlSocketPath(dataFolder));
  try {
    assert.equal((await run('keys create --name served')).code, 0);
    assert.match((await run('keys list')).out, /served/);
    assert.match((await run('keys revoke nobody')).notes, /No key has this id/);
    const { out } = await run('doctor', { environment: { PORT: '0' } });
    assert.match(out, /server: .* 0 calls running, using 3 of 1024 MiB of memory for bodies$/m);
    assert.equal(counts.opened, 0);
  } finally {
    await server.close();
  }
});

test('errors in the file are reported with a running server too; only unset variables are assumed to be set there', async () => {
  const { run, cwd, services } = await openBench();
  const provider = 'providers:\n  - name: lab\n    kind: custom\n    origin: http://10.0.0.5\n';
  const server = controlOf(services);
  await listenControl(server, controlSocketPath(join(cwd, 'data')));
  try {
    writeFileSync(join(cwd, 'turnpike.yaml'), `${provider}    api_key: \${NOPE_KEY}\n`);
    const faulty = await run('config check');
    assert.equal(faulty.code, 1);
    assert.equal(
      faulty.notes,
      'turnpike.yaml:5: providers[0].api_key: is not an option; did you mean providers[0].credential?\n' +
        'turnpike.yaml:5: providers[0].api_key: the environment variable NOPE_KEY is not set',
    );
    assert.match((await run('doctor')).out, /^fail {2}configuration: turnpike\.yaml:5: .*is not an option/m);
    writeFileSync(join(cwd, 'turnpike.yaml'), `${provider}    credential: \${NOPE_KEY}\n`);
    const lacking = await run('config check');
    assert.equal(lacking.code, 0);
    assert.match(lacking.notes, /NOPE_KEY is not set here; the running server was started with its own variables/);
  } finally {
    await server.close();
  }
});

test('doctor and config check read the running server’s file, and report a difference from their own', async () => {
  const { run, cwd, services } = await openBench();
  mkdirSync(join(cwd, 'etc'));
  const theirs = join(cwd, 'etc', 'theirs.yaml');
  const served = 'providers: [{ name: lab, kind: custom, origin: http://10.0.0.5 }]\n';
  writeFileSync(theirs, served);
  let source: ConfigSource | null = runAtOnce(configSource(theirs, Buffer.from(served)));
  const server = controlOf({ ...services, status: () => ({ ...services.status(), configSource: source }) });
  await listenControl(server, controlSocketPath(join(cwd, 'data')));
  const environment = { PORT: '0' };
  try {
    assert.match((await run('doctor', { environment })).out, /^ok {4}configuration: etc\/theirs\.yaml$/m);
    const checked = await run('config check', { environment });
    assert.match(checked.out, /^providers\.lab\.origin +http:\/\/10\.0\.0\.5 +etc\/theirs\.yaml:1$/m);
    assert.equal(checked.notes, 'Configuration file: etc/theirs.yaml');

    writeFileSync(join(cwd, 'mine.yaml'), 'log: { level: debug }\n');
    const named = await run('doctor --config mine.yaml', { environment });
    assert.match(named.out, /^warn {2}configuration: the running server has read .*theirs\.yaml, not mine\.yaml$/m);

    writeFileSync(theirs, `${served}log: { level: debug }\n`);
    const changed =
      /etc\/theirs\.yaml has changed since the running server read it; reload it \(SIGHUP\) or restart it$/m;
    assert.match((await run('doctor', { environment })).out, changed);
    assert.match((await run('config check', { environment })).notes, changed);
    writeFileSync(theirs, 'prot: 1\n');
    const broken = await run('doctor', { environment });
    assert.equal(broken.code, 1);
    assert.match(broken.out, /^fail {2}configuration: etc\/theirs\.yaml:1: prot: is not an option/m);

    source = null;
    assert.match(
      (await run('doctor', { environment })).out,
      /^ok {4}configuration: no file; defaults and environment$/m,
    );
    writeFileSync(join(cwd, 'turnpike.yaml'), 'log: { level: debug }\n');
    assert.match(
      (await run('doctor', { environment })).out,
      /^warn {2}configuration: .* has read no file; it reads .*turnpike\.yaml/m,
    );
  } finally {
    await server.close();
  }
});

test('doctor shows which providers’ calls fail on a running server, and fails if all calls of one do', async () => {
  const { run, cwd, services } = await openBench();
  const healthOf = (name: string) => troubled(name === 'mine' ? 'dead' : 'limited');
  const server = controlOf({ ...services, healthOf });
  await listenControl(server, controlSocketPath(join(cwd, 'data')));
  try {
    const { code, out } = await run('doctor', { environment: { PORT: '0' } });
    assert.equal(code, 1);
    assert.match(
      out,
      /^fail {2}calls to mine: dead: the last 6 calls failed \(7 of 8 in the last 5 minutes\). It answered HTTP 500.$/m,
    );
    assert.match(out, /^warn {2}calls to broken: limited: 0 of 8 calls were rate limited in the last 5 minutes./m);
  } finally {
    await server.close();
  }
});

test('a test by doctor does not change a provider’s health; a test requested by an operator may', async () => {
  const { run, cwd, services } = await openBench();
  const asked: boolean[] = [];
  const testConnection: typeof services.testConnection = (provider, options) => {
    asked.push(options.endsTrouble);
    return services.testConnection(provider, options);
  };
  const server = controlOf({ ...services, testConnection });
  await listenControl(server, controlSocketPath(join(cwd, 'data')));
  try {
    await run('doctor --online', { environment: { PORT: '0' } });
    assert.deepEqual(asked.splice(0), [false, false]);
    await run('providers test mine');
    assert.deepEqual(asked, [true]);
  } finally {
    await server.close();
  }
});

test('a socket left by a killed server is not mistaken for a server', async () => {
  const { run, cwd, counts } = await openBench();
  writeFileSync(join(cwd, 'data', 'control.sock'), '');
  assert.equal((await run('keys list')).code, 0);
  assert.equal(counts.opened, 1);
});

test('records are followed on a running server as calls end, long ones included, until the wait is interrupted', async () => {
  const { run, cwd, services, records, clock } = await openBench();
  const dataFolder = join(cwd, 'data');
  const admittedFirst = record(clock.now(), 1n);
  const ended = [record(clock.now() + 1, 2n), record(clock.now() + 2, 3n), admittedFirst];
  records.push(ended[0] as CallRecord);
  const server = controlOf(services);
  await listenControl(server, controlSocketPath(dataFolder));
  let waits = 0;
  const wait = async () => {
    waits += 1;
    if (waits === 4) throw new Error('interrupted');
    records.push(...ended.slice(waits, waits + 1));
  };
  try {
    const { out } = await run('records tail --follow', { wait });
    assert.deepEqual(
      out.split('\n').map((line) => line.split(' ').at(-1)),
      ended.map(({ callId }) => generationId(callId)),
    );
  } finally {
    await server.close();
  }
  assert.match((await run('records tail --follow')).notes, /nothing to follow/);
});

test('a call that ends while the first page is read is shown once, and skipped calls are reported', async () => {
  const { run, cwd, services, records, clock } = await openBench();
  const dataFolder = join(cwd, 'data');
  records.push(record(clock.now(), 1n));
  let polls = 0;
  const server = controlOf({
    ...services,
    records: {
      tail: services.records.tail,
      follow: () => 0,
      since: (sequence) => {
        polls += 1;
        return polls === 1 ? services.records.since(sequence) : { records: [], sequence: sequence + 7 };
      },
    },
  });
  await listenControl(server, controlSocketPath(dataFolder));
  let waits = 0;
  const wait = async () => {
    waits += 1;
    if (waits === 3) throw new Error('interrupted');
  };
  try {
    const { out, notes } = await run('records tail --follow', { wait });
    assert.equal(out.split('\n').length, 1);
    assert.match(notes, /^7 calls were skipped/m);
  } finally {
    await server.close();
  }
});

test('doctor passes on a healthy machine and reports what is wrong', async () => {
  const { run, cwd } = await openBench();
  const good = await run('doctor --json', { environment: { PORT: '0' } });
  const states = new Map(
    JSON.parse(good.out).data.map((check: { name: string; state: string }) => [check.name, check.state]),
  );
  for (const name of ['Node', 'SQLite', 'configuration', 'data folder', 'server', 'port', 'clock']) {
    assert.equal(states.get(name), 'ok', name);
  }
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = taken.address() as { port: number };
    const { code, out } = await run('doctor', { environment: { PORT: String(port) } });
    assert.equal(code, 1);
    assert.match(out, /^fail {2}port: .* is in use by another program$/m);
  } finally {
    await new Promise((resolve) => taken.close(resolve));
  }
  writeFileSync(join(cwd, 'turnpike.yaml'), 'prot: 1\n');
  const broken = await run('doctor');
  assert.equal(broken.code, 1);
  assert.match(broken.out, /^fail {2}configuration: turnpike\.yaml:1: prot/m);
});

test('doctor tests providers only with --online', async () => {
  const { run } = await openBench();
  const environment = { PORT: '0' };
  assert.doesNotMatch((await run('doctor', { environment })).out, /^\w+ +provider/m);
  const { code, out } = await run('doctor --online', { environment });
  assert.equal(code, 1);
  assert.match(out, /^ok {4}provider mine: 2 models, 12 ms$/m);
  assert.match(out, /^fail {2}provider broken: The provider rejected the credential/m);
});

test('version names the program, Node and SQLite', async () => {
  const { run } = await openBench();
  assert.match((await run('version')).out, /^turnpike \d+\.\d+\.\d+ {2}Node \d+/);
  assert.equal((await run('--version')).out, (await run('version')).out);
});

test('config check fails for an unknown variable, and doctor warns about it', async () => {
  const { run } = await openBench();
  const environment = { PORT: '0', TURNPIKE_PORT: '9000' };
  const check = await run('config check', { environment });
  assert.equal(check.code, 1);
  assert.match(check.notes, /environment TURNPIKE_PORT: .*did you mean PORT\?/);
  const { code, out } = await run('doctor', { environment });
  assert.equal(code, 0);
  assert.match(out, /^warn {2}configuration: environment TURNPIKE_PORT/m);
  assert.match((await run('serve', { environment })).notes, /^warning: environment TURNPIKE_PORT/);
});

test('config check fails for an id that no model has; where the dashboard may have it, it only says so', async () => {
  const yaml = `billing:
  modelMarkups:
    - { model: openai/gpt-4oo, markup: 20 }
    - { model: anthropic/claude-opus-4.5, markup: 20 }
    - { model: lab/own, markup: 5 }
    - { model: acme/large, markup: 5 }
aliases:
  - { name: fast, targets: [{ model: demo/ecko }] }
providers:
  - { name: lab, kind: custom, origin: https://lab.example.com, models: [{ upstream: own }] }
`;
  const expected = [
    'turnpike.yaml:3: billing.modelMarkups[0].model: no model has the id openai/gpt-4oo; did you mean openai/gpt-4o?',
    'turnpike.yaml:6: billing.modelMarkups[3].model: no model has the id acme/large',
    'turnpike.yaml:8: aliases[0].targets[0].model: no model has the id demo/ecko; did you mean demo/echo?',
  ];
  const isExpected = (notes: string, lines: readonly string[]) =>
    assert.deepEqual(notes.split('\n').slice(0, -1), lines);

  const fresh = await openBench({ installed: false });
  writeFileSync(join(fresh.cwd, 'turnpike.yaml'), yaml);
  const certain = await fresh.run('config check');
  isExpected(certain.notes, expected);
  assert.equal(certain.code, 1);
  assert.match(certain.out, /^billing\.modelMarkups\.anthropic\/claude-opus-4\.5 +20 +turnpike\.yaml:4$/m);

  const installed = await openBench();
  writeFileSync(join(installed.cwd, 'turnpike.yaml'), yaml);
  const doubted = await installed.run('config check');
  isExpected(
    doubted.notes,
    expected.map((line) => `${line}, unless a provider that was added in the dashboard serves it`),
  );
  assert.equal(doubted.code, 0);

  // The running server serves acme/large.
  const server = controlOf(installed.services);
  await listenControl(server, controlSocketPath(join(installed.cwd, 'data')));
  try {
    const served = await installed.run('config check --config turnpike.yaml');
    assert.equal(served.code, 1);
    assert.deepEqual(
      served.notes.split('\n').filter((line) => line.includes('no model has')),
      [expected[0], expected[2]],
    );
    assert.match((await installed.run('doctor')).out, /^warn {2}configuration: .*no model has the id openai\/gpt-4oo/m);
  } finally {
    await server.close();
  }
});

test('a flag name from another program gets a suggestion', async () => {
  const { run } = await openBench();
  assert.match((await run('providers add lab --base-url http://x')).notes, /did you mean --origin\?/);
  assert.match((await run('providers add lab --api-key x')).notes, /did you mean --key\?/);
  assert.match((await run('providers add lab --type x')).notes, /did you mean --kind\?/);
});

test('doctor shows the proxy of each provider, as the running server has it', async () => {
  const { run, cwd, services } = await openBench();
  const server = controlOf({ ...services, proxyOf: () => 'http://proxy.example:3128' });
  await listenControl(server, controlSocketPath(join(cwd, 'data')));
  try {
    const { out } = await run('doctor', { environment: { PORT: '0', HTTPS_PROXY: 'http://another.example' } });
    assert.match(out, /^ok {4}proxies: .*mine through http:\/\/proxy\.example:3128/m);
    assert.doesNotMatch(out, /another\.example/);
  } finally {
    await server.close();
  }
});
