/** Goal: a misspelt variable is reported, and another program's is ignored. Method: environments. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { options } from './options.ts';
import { unknownVariables } from './unknown-variables.ts';

function reportOf(name: string, value = 'canary'): string {
  const [problem] = unknownVariables({ [name]: value });
  return problem === undefined ? '' : `${problem.where}: ${problem.message}`;
}

test('the variable of every option is known, and the file variable of every secret', () => {
  for (const { environment, secret } of options) {
    assert.equal(reportOf(environment), '', environment);
    if (secret) assert.equal(reportOf(`${environment}_FILE`), '', environment);
  }
  for (const name of ['TURNPIKE_CONFIG', 'TURNPIKE_KEY', 'TURNPIKE_LAUNCHER_FD', 'TURNPIKE_RECORDINGS'])
    assert.equal(reportOf(name), '');
});

test('the intended name is suggested, and the value never repeated', () => {
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
    const text = reportOf(name);
    assert.ok(text.endsWith(`; did you mean ${meant}?`), `${name}: ${text}`);
    assert.ok(text.startsWith(`environment ${name}: `));
    assert.doesNotMatch(text, /canary/);
  }
  assert.match(reportOf('TURNPIKE_QQQQQQQQQQQQQQQQQQ'), /is ignored$/);
});

test('variables that Kubernetes sets for services, empty ones, and other programs’ are ignored', () => {
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
    assert.equal(reportOf(name, value), '', name);
});
