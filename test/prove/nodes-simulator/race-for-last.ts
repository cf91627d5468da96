/** 1,000 calls at once on four nodes, for the money of 100. */
import type { Lent } from '../../../src/billing/lent/funds.ts';
import type { Refusal } from '../../../src/billing/refusal.ts';
import { accountId } from '../../../src/core/ids.ts';
import { parseUsd } from '../../../src/core/money.ts';
import { BankUnderTest } from '../../support/leases-under-test.ts';
import { Random } from '../simulator/random.ts';
import { promise, same } from '../simulator/violation.ts';

const CALLS = 1_000;
const HOLDS = 100;
/** Together this is what the account has. */
const HOLD_USD = '0.01';
const BALANCE_USD = '1';

/** Throws a `Violation` unless exactly 100 of them are served, and each refusal says that others hold the rest. */
export async function raceForLast(seed: number): Promise<void> {
  const random = new Random(seed);
  const delays = () => ({ there: random.between(0, 4), back: random.between(0, 4) });
  const test = new BankUnderTest();
  test.topUp(BALANCE_USD);
  const nodes = [];
  for (const name of ['a', 'b', 'c', 'd']) nodes.push(await test.node(name, 'prepaid', delays));
  const answers: Promise<Lent | Refusal>[] = [];
  for (let index = 0; index < CALLS; index += 1) answers.push(Promise.resolve(random.pick(nodes).take(HOLD_USD)));
  const outcomes = await test.until(Promise.all(answers));
  same(
    outcomes.filter(({ refused }) => refused === null).length,
    HOLDS,
    () => `the number of calls served, seed ${seed}`,
  );
  for (const outcome of outcomes)
    if (outcome.refused !== null)
      promise(
        outcome.refused === 'shortfall' && outcome.binding.whole === parseUsd(BALANCE_USD),
        () => `a call was refused for another reason than that others hold the money, seed ${seed}`,
      );
  same<bigint>(test.bank.totals(accountId(1)).balance, parseUsd(BALANCE_USD), () => 'the balance');
  for (const { problems } of nodes) same(problems.length, 0, () => `the problems of a node, seed ${seed}`);
}
