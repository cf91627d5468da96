/** Compares an answer of the management API with its contract, down to the last field. */
import assert from 'node:assert/strict';
import { contractRoutes } from '../../src/api/contract/schemas.ts';

/** `name` is the contract's: `listKeys`; `answer` the JSON that came. */
export function assertFits(name: string, answer: unknown): void {
  const found = contractRoutes.find((each) => each.name === name);
  assert.ok(found, `the contract has no route ${name}`);
  const { error } = found.route.answer.safeParse(answer);
  assert.equal(
    error,
    undefined,
    `${name}: ${error?.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)}`,
  );
}
