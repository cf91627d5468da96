/** Goal: whoever starts a server reads where its data is, and no password. Method: the text for a configuration with a database, and without. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadConfig } from '../config/load-config.ts';
import { NO_MONEY } from '../core/money.ts';
import type { App } from './app.ts';
import { greeting } from './greeting.ts';

const SECRETS = { TURNPIKE_PEPPER: '0123456789abcdef'.repeat(4), TURNPIKE_SEALING_KEY: 'fedcba9876543210'.repeat(4) };

const NO_PROVIDERS = { providers: { list: () => [] } } as unknown as App;

function readyLine(environment: Readonly<Record<string, string>>, app = NO_PROVIDERS): string {
  const cwd = process.cwd();
  const all = { TURNPIKE_DATA: join(cwd, 'data'), ...environment };
  const { config } = loadConfig({ flags: {}, environment: all, cwd });
  const url = 'http://127.0.0.1:8080';
  return greeting({ url, config, app, firstRun: null, credit: NO_MONEY, readyMs: 1_000, setUpLink: null });
}

test('the line says where the data is', () => {
  assert.match(readyLine({}), /^turnpike \S+ ready in 1\.0 s on http:\/\/127\.0\.0\.1:8080 \(data in \.\/data\)$/);
});

test('with a database it says which, and nothing of its user and password', () => {
  const url = 'postgres://ada:secret-word@db.example:6432/turn%20pike?sslmode=no-verify';
  const line = readyLine({ DATABASE_URL: url, ...SECRETS });
  assert.match(line, / \(data in turn pike at db\.example:6432, journal in \.\/data\)$/);
  assert.doesNotMatch(line, /ada|secret-word/);
});

test('of hundreds of providers the first are named, and how many more there are', () => {
  const provider = (index: number) => ({
    name: `provider-${index}`,
    origin: 'http://127.0.0.1:9',
    callsTo: [],
    source: 'file',
    isEnabled: true,
    problem: null,
    models: 1,
  });
  const lines = (count: number) => {
    const list = Array.from({ length: count }, (_, index) => provider(index));
    return readyLine({}, { providers: { list: () => list } } as unknown as App).split('\n');
  };
  assert.equal(lines(20).length, 21);
  assert.doesNotMatch(lines(20).join('\n'), /more/);
  assert.equal(lines(500).length, 22);
  assert.match(lines(500).at(-1) ?? '', /^ +and 480 more: turnpike providers list$/);
});
