/**
 * How long it takes to check a key among all keys of an installation, each check timed separately. Prints one line
 * `result <JSON>`.
 *
 *   node bench/load/check-keys.ts --data … --config … --keys <how many> --checks <how many>
 */
import { parseArgs } from 'node:util';
import { authenticate } from '../../src/accounts/authenticate.ts';
import type { KeyMirror } from '../../src/accounts/key-mirror.ts';
import { openApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { quantile } from '../statistics.ts';
import { GOOD_KEYS, numberedKey } from './numbered-keys.ts';

export interface Checks {
  readonly medianMicros: number;
  readonly p99Micros: number;
}

const WARM_UP = 20_000;

function checkKeys(mirror: KeyMirror, keys: number, checks: number): Checks {
  const micros: number[] = [];
  const nowMs = Date.now();
  for (let index = -WARM_UP; index < checks; index += 1) {
    const secret = numberedKey(GOOD_KEYS, Math.floor(Math.random() * keys));
    const headers = ['host', '127.0.0.1', 'authorization', `Bearer ${secret}`, 'content-type', 'application/json'];
    const startMs = performance.now();
    authenticate(headers, mirror, nowMs);
    const tookMs = performance.now() - startMs;
    if (index >= 0) micros.push(tookMs * 1000);
  }
  return { medianMicros: quantile(micros, 0.5), p99Micros: quantile(micros, 0.99) };
}

if (import.meta.main) {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { data: text, config: text, keys: text, checks: text } });
  const flags = { data: values.data ?? '', config: values.config ?? '' };
  const { config } = loadConfig({ flags, environment: process.env, cwd: process.cwd() });
  const app = await openApp(config);
  const result = checkKeys(app.gateway.keys, Number(values.keys), Number(values.checks));
  await app.close();
  process.stdout.write(`result ${JSON.stringify(result)}\n`);
}
