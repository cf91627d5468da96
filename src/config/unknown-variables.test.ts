/** Goal: a misspelt variable is told, and one that is somebody else's is left alone. Method: environments. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { options } from './options.ts';
import { unknownVariables } from './unknown-variables.ts';

function said(name: string, value = 'canary'): string {
  const [problem] = unknownVariables({ [name]: value });
  return problem === undefined ? '' : `${problem.where}: ${problem.message}`;
}

test('every variable of an option is known, and of a secret the file as well', () => {
  for (const { environment, secret } of options) {
    assert.equal(said(environment), '', environment);
    if (secret) assert.equal(said(`${environment}_FILE`), '', environment);
  }
  for (const name of ['TURNPIKE_CONFIG', 'TURNPIKE_KEY', 'TURNPIKE_LAUNCHER_FD', 'TURNPIKE_RECORDINGS'])
    assert.equal(said(name), '');
});

test('the name that was meant is told, and never the value', () => {
  for (const [name, meant] of [
    ['TURNPIKE_PORT', 'PORT'],
    ['TURNPIKE_HOST', 'HOST'],
    ['TURNPIKE_LOG_LEVEL', 'LOG_LEVEL'],
    ['TURNPIKE_PUBLIC_URL', 'PUBLIC_URL'],
    ['TURNPIKE_DATA_FOLDER', 'TURNPIKE_DATA'],
    ['TURNPIKE_OPENAI_API_KEY', 'OPENAI_API_KEY'],
    ['TURNPIKE_PEPER', 'TURNPIKE_PEPPER'],
    ['TURNPIKE_PEPER_FILE', 'TURNPIKE_PEPPER_FILE'],
    ['TURNPIKE_TIMEOUT_TOTAL_MS', 'TURNPIKE_TIMEOUTS_TOTAL_MS'],
    ['TURNPIKE_LIMITS_BODY_BYTES', 'TURNPIKE_LIMITS_BODY_BYTES_MAX'],
  ] as const) {
    const text = said(name);
    assert.ok(text.endsWith(`; did you mean ${meant}?`), `${name}: ${text}`);
    assert.ok(text.startsWith(`environment ${name}: `));
    assert.doesNotMatch(text, /canary/);
  }
  assert.match(said('TURNPIKE_QQQQQQQQQQQQQQQQQQ'), /nothing reads it$/);
});

test('what Kubernetes makes of services whose names begin so, empty variables, and those of others are left alone', () => {
  for (const [name, value] of [
    ['TURNPIKE_PORT', 'tcp://10.0.0.1:8080'],
    ['TURNPIKE_SERVICE_HOST', '10.0.0.1'],
    ['TURNPIKE_SERVICE_PORT', '8080'],
    ['TURNPIKE_SERVICE_PORT_HTTP', '8080'],
    ['TURNPIKE_PORT_8080_TCP', 'tcp://10.0.0.1:8080'],
    ['TURNPIKE_PORT_8080_TCP_ADDR', '10.0.0.1'],
    ['TURNPIKE_METRICS_PORT_9090_TCP_PROTO', 'tcp'],
    ['TURNPIKE_PROT', ''],
    ['PROT', '1'],
  ] as const)
    assert.equal(said(name, value), '', name);
});
