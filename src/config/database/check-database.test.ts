/** What a database requires of the configuration, and what requires a database. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../load-config.ts';
import { ConfigError } from '../problem.ts';

const URL = 'postgres://ada:secret-word@db.example/turnpike';
const KEYS = { TURNPIKE_PEPPER: '0123456789abcdef'.repeat(4), TURNPIKE_SEALING_KEY: 'fedcba9876543210'.repeat(4) };

function load(environment: Readonly<Record<string, string>>, mayLack?: 'serving' | 'all') {
  return loadConfig({
    flags: {},
    environment,
    cwd: import.meta.dirname,
    ...(mayLack === undefined ? {} : { mayLack }),
  });
}

function problems(environment: Readonly<Record<string, string>>, mayLack?: 'serving'): readonly string[] {
  try {
    load(environment, mayLack);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    assert.ok(!error.message.includes('secret-word'));
    return error.problems.map(({ message }) => message);
  }
  return [];
}

test('without a database a settled call survives the process; with one, the loss of its machine', () => {
  assert.equal(load({}).config.durability, 'process');
  assert.equal(load({ DATABASE_URL: URL, ...KEYS }).config.durability, 'database');
  assert.equal(load({ DATABASE_URL: URL, ...KEYS, TURNPIKE_DURABILITY: 'power' }).config.durability, 'power');
  assert.deepEqual(problems({ TURNPIKE_DURABILITY: 'database' }), [
    'durability: needs database.url; choose process or power without it',
  ]);
});

test('with a database both secrets have to be given, and the problem says where to get them', () => {
  for (const mayLack of [undefined, 'serving'] as const) {
    const [pepper, sealingKey, ...others] = problems({ DATABASE_URL: URL }, mayLack);
    assert.deepEqual(others, []);
    assert.match(
      pepper ?? '',
      /^pepper: must be set with a database.* openssl rand -hex 32.* file pepper of its data folder$/,
    );
    assert.match(sealingKey ?? '', /^sealingKey: must be set .* file sealing\.key of its data folder$/);
  }
  assert.throws(() => load({ DATABASE_URL: URL }), {
    message: /^environment TURNPIKE_PEPPER: pepper: must .*\nenvironment TURNPIKE_SEALING_KEY: sealingKey: must /,
  });
  assert.equal(load({ DATABASE_URL: URL }, 'all').config.database.url?.reveal(), URL);
});

test('a URL that is not of a PostgreSQL database is refused without repeating it', () => {
  for (const [url, message] of [
    ['mysql://ada:secret-word@db/turnpike', /^database\.url: must be the URL of a PostgreSQL database, like postgres:/],
    ['postgres://ada:secret-word@db', /^database\.url: names no database; add it to its end/],
    ['postgres://ada:secret-word@db:port/turnpike', /^database\.url: is not a URL; in a user or a password write %40/],
    ['postgres://ada:secret-word#1@db/turnpike', /^database\.url: is not a URL|has a #/],
    ['postgres://ada:secret-word%@db/turnpike', /^database\.url: has a % that begins no escape; write %25/],
  ] as const) {
    const [first, ...others] = problems({ DATABASE_URL: url, ...KEYS });
    assert.match(first ?? '', message);
    assert.deepEqual(others, []);
  }
});

test('a replica without a database is refused', () => {
  assert.deepEqual(problems({ TURNPIKE_DATABASE_READ_URL: URL }), ['database.readUrl: database.url must be set, too']);
});
