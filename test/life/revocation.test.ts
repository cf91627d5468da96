/** Goal: a revoked key stops within a second in the running server. Method: revoked over the control socket while it is in use. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createKey, revokeKey } from '../support/control.ts';
import { chatBody, DIALECTS, errorCode, type OpenBench, openBench, PATHS } from '../support/open-gateway.ts';

const STOPS_WITHIN_MS = 1_000;

let bench: OpenBench;
before(async () => {
  bench = await openBench();
});
after(() => bench.close());

for (const dialect of DIALECTS) {
  test(`${dialect}: a key in use is refused within a second of its revocation, and others are not`, async (context) => {
    const name = `for ${dialect}`;
    const key = await createKey(bench.dataFolder, name);
    const call = () => bench.post(PATHS[dialect], chatBody(false), { authorization: `Bearer ${key}` });
    const first = await call();
    assert.equal(first.status, 200);
    await first.text();

    await revokeKey(bench.dataFolder, name);
    const revokedAt = performance.now();
    let response = await call();
    while (response.status === 200) {
      await response.text();
      assert.ok(performance.now() - revokedAt < STOPS_WITHIN_MS);
      response = await call();
    }
    context.diagnostic(`refused ${(performance.now() - revokedAt).toFixed(1)} ms after the revocation`);
    assert.equal(response.status, 401);
    assert.equal(errorCode(await response.json()), 'invalid_api_key');

    const other = await bench.post(PATHS[dialect], chatBody(false));
    assert.equal(other.status, 200);
    await other.text();
  });
}
