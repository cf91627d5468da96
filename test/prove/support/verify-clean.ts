/** What the program itself finds when it recomputes its ledger: `turnpike ledger verify`. */
import assert from 'node:assert/strict';
import { control } from '../../support/control.ts';

/** For a server that runs in this folder. Throws what it found, if anything. */
export async function verifyClean(dataFolder: string): Promise<void> {
  const { status, body } = await control(dataFolder, 'POST', '/control/api/ledger/verify', { archive: true });
  assert.equal(status, 200, JSON.stringify(body));
  const { data } = body as { data: { ok: boolean; violations: unknown } };
  assert.ok(data.ok, `ledger verify: ${JSON.stringify(data.violations)}`);
}
