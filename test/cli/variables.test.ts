// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables are written this way in the file.
/**
 * Goal: commands that need no provider need no provider's variables; a variable missing here is not an error if the running server
 * has it; a misspelt variable is reported. Method: a server started with its variables, commands in a shell that has none, or in this
 * process with an environment that has none.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { newInstallation, startServer } from '../support/serve-process.ts';
import { turnpike, turnpikeProcess } from './process.ts';

const FILE = {
  demo: true,
  metrics: { token: '${METRICS_TOKEN_OF_SERVER}' },
  providers: [
    {
      name: 'lab',
      kind: 'custom',
      origin: 'http://127.0.0.1:9',
      credential: '${LAB_KEY}',
      models: [{ upstream: 'm' }],
    },
    { name: 'free', kind: 'custom', origin: 'http://127.0.0.1:9', models: [{ upstream: 'm' }] },
  ],
};
const VARIABLES = { LAB_KEY: 'k', METRICS_TOKEN_OF_SERVER: 't' };

test('with a server that has them, commands need no variables, and neither doctor nor config check fails for lack of them', {
  timeout: 90_000,
}, async (context) => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  context.after(() => taken.close());
  const server = await startServer(FILE, VARIABLES);
  context.after(() => server.remove());
  // The file names a port that is taken: the server was started with another one.
  const { port } = taken.address() as AddressInfo;
  writeFileSync(join(server.folder, 'turnpike.yaml'), JSON.stringify({ ...FILE, port, dataFolder: server.dataFolder }));
  for (const words of [
    ['balance', 'show'],
    ['keys', 'list'],
    ['providers', 'list'],
    ['models', 'list', 'lab'],
  ]) {
    const { code, out, notes } = await turnpike(server.folder, ...words);
    assert.equal(code, 0, notes);
    assert.doesNotMatch(notes, /not set/);
    if (words[0] === 'providers') assert.match(out, /^lab /m);
  }
  const doctor = await turnpike(server.folder, 'doctor');
  assert.match(doctor.out, /^warn {2}configuration: .*LAB_KEY is not set here; the running server/m);
  assert.match(
    doctor.out,
    new RegExp(`^ok {4}port: ${new URL(server.url).host} is in use by this Turnpike server`, 'm'),
  );
  assert.equal(doctor.code, 0, doctor.out);
  const check = await turnpikeProcess(server.folder, 'config', 'check');
  assert.equal(check.code, 0, check.notes);
  assert.match(check.notes, /LAB_KEY is not set here/);
});

test('without a server, providers whose variables are missing are left out, and variables that protect the data are required', {
  timeout: 90_000,
}, async (context) => {
  const server = await startServer(FILE, VARIABLES);
  server.process.kill('SIGTERM');
  await once(server.process, 'exit');
  context.after(() => server.remove());
  const written = { ...FILE, port: 0, dataFolder: server.dataFolder };
  writeFileSync(join(server.folder, 'turnpike.yaml'), JSON.stringify(written));
  const shown = await turnpike(server.folder, 'balance', 'show');
  assert.deepEqual([shown.code, shown.notes], [0, '']);
  const providers = await turnpike(server.folder, 'providers', 'list');
  assert.equal(providers.code, 0);
  assert.match(providers.notes, /LAB_KEY is not set; providers that need it are left out/);
  assert.doesNotMatch(providers.out, /^lab /m);
  assert.match(providers.out, /^free /m);
  for (const words of [['config', 'check'], ['doctor']]) {
    const { code, out, notes } = await turnpike(server.folder, ...words);
    assert.equal(code, 1);
    assert.match(out + notes, /LAB_KEY is not set/);
  }
  writeFileSync(join(server.folder, 'turnpike.yaml'), JSON.stringify({ ...written, pepper: '${PEPPER_OF_SERVER}' }));
  const guarded = await turnpikeProcess(server.folder, 'balance', 'show');
  assert.equal(guarded.code, 1);
  assert.match(guarded.notes, /PEPPER_OF_SERVER is not set/);
  writeFileSync(join(server.folder, 'turnpike.yaml'), JSON.stringify({ ...written, prot: 1 }));
  assert.match(
    (await turnpike(server.folder, 'balance', 'show')).notes,
    /prot: is not an option/,
    'other errors stay errors',
  );
});

test('the start warns of a misspelt variable, and config check fails for it', { timeout: 60_000 }, async () => {
  const server = await startServer({ demo: false }, { TURNPIKE_PROT: 'canary' });
  assert.match(server.printed(), /warning: environment TURNPIKE_PROT: .*did you mean PORT\?/);
  assert.doesNotMatch(server.printed(), /canary/);
  await server.remove();
  const { folder } = await newInstallation({});
  const check = await turnpike(folder, 'config', 'check');
  assert.equal(check.code, 0);
});
