/** Random requests of nodes and operators to a bank, as data: what they mean depends on what was asked before. */
import fc from 'fast-check';

const NODES = 3;
/** The balance, and the budgets of a key, a project and an account: of two accounts. */
export const PURSES = 8;
export const DAY_MS = 86_400_000;

const node = fc.nat(NODES - 1);
/** Rarely the number of an earlier request: one that was sent again, or arrives late. */
const isOld = often(false, true);
const purses = fc.uniqueArray(fc.nat(PURSES - 1), { minLength: 1, maxLength: 4 });
const amounts = fc.array(fc.record({ shortfall: fc.nat(50), more: fc.nat(80) }), { minLength: 4, maxLength: 4 });
/** Mostly as they are in force; sometimes 0 or none. */
const limit = fc.option(fc.nat(150), { freq: 2 });
const limits = fc.record({ day: limit, week: limit, month: limit, total: limit });
const account = fc.nat(1);
const key = fc.record({ project: fc.nat(1), name: fc.nat(2), second: fc.option(fc.nat(2), { freq: 1 }) });

const call = fc.record({
  account,
  charge: fc.oneof({ weight: 5, arbitrary: fc.nat(30) }, { weight: 1, arbitrary: fc.nat(400) }),
  budgets: fc.oneof(fc.constant(7), fc.nat(7)),
  /** Of those before today: most calls count today. */
  day: fc.oneof(
    { weight: 6, arbitrary: fc.nat(2) },
    { weight: 1, arbitrary: fc.constantFrom(-1, -8, -31, -33, -40, -70, -400) },
  ),
  /** How long ago it was admitted, ms. */
  ago: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(3 * DAY_MS) }),
  isHeld: often(true, false),
  isOwnCredential: often(false, true),
  /** The claim of this node that it ends. */
  ends: fc.option(fc.nat(1), { freq: 3 }),
});
const epoch = fc.oneof(
  { weight: 6, arbitrary: fc.constant('own' as const) },
  { weight: 2, arbitrary: fc.constant('before' as const) },
  { weight: 1, arbitrary: fc.constantFrom('none' as const, 'of another' as const) },
);

const STEPS = {
  lease: fc.record({
    what: fc.constant('lease' as const),
    ...{ node, purses, amounts, isOld },
    isTogether: fc.boolean(),
    isOfAnother: often(false, true),
  }),
  'give back': fc.record({
    what: fc.constant('give back' as const),
    ...{ node, purses, isOld },
    keeps: fc.array(fc.nat(60), { minLength: 4, maxLength: 4 }),
    isLast: fc.boolean(),
  }),
  settle: fc.record({
    what: fc.constant('settle' as const),
    ...{ node, epoch },
    calls: fc.array(call, { minLength: 1, maxLength: 5 }),
    isTwice: often(false, true),
    /** Shares for them are asked for first, as nodes do. */
    isLent: often(true, false),
  }),
  again: fc.record({
    what: fc.constant('again' as const),
    ...{ node, epoch },
    batch: fc.nat(7),
    isOther: fc.boolean(),
  }),
  limit: fc.record({ what: fc.constant('limit' as const), purse: fc.nat(PURSES - 1), limits }),
  post: fc.record({
    what: fc.constant('post' as const),
    account,
    kind: fc.constantFrom('topup' as const, 'promo' as const, 'adjustment' as const, 'refund' as const),
    amount: fc.integer({ min: -150, max: 150 }),
    call: fc.nat(7),
    isOld,
    /** The account is made first if it is not there. */
    isMade: often(true, false),
  }),
  pulse: fc.record({
    what: fc.constant('pulse' as const),
    node,
    isDraining: often(false, true),
    hasUnsent: fc.boolean(),
  }),
  register: fc.record({ what: fc.constant('register' as const), node }),
  close: fc.record({ what: fc.constant('close' as const), node, isSameProcess: fc.boolean() }),
  leave: fc.record({ what: fc.constant('leave' as const), node }),
  reap: fc.record({ what: fc.constant('reap' as const), node, waits: fc.boolean() }),
  recall: fc.record({ what: fc.constant('recall' as const), account }),
  time: fc.record({
    what: fc.constant('time' as const),
    ms: fc.oneof(
      fc.nat(6_000),
      fc.nat(3 * DAY_MS),
      fc.constantFrom(-1, -3, -45).map((days) => days * DAY_MS),
      fc.nat(90).map((days) => days * DAY_MS),
    ),
  }),
  account: fc.record({ what: fc.constant('account' as const), account, isLost: fc.boolean() }),
  claim: fc.record({
    what: fc.constant('claim' as const),
    ...{ node, key },
    body: fc.nat(1),
    isSameCall: often(false, true),
    forMs: fc.constantFrom(1_000, 5 * DAY_MS),
  }),
  release: fc.record({ what: fc.constant('release' as const), node, claim: fc.nat(5) }),
  'give up': fc.record({ what: fc.constant('give up' as const), node, claim: fc.nat(2) }),
  'claim again': fc.record({ what: fc.constant('claim again' as const), node }),
};

const WEIGHTS: Readonly<Record<keyof typeof STEPS, number>> = {
  ...{ lease: 9, 'give back': 4, settle: 9, again: 2, limit: 2, post: 4, pulse: 2 },
  ...{ register: 2, close: 2, leave: 1, reap: 2, recall: 1, time: 3, account: 1 },
  ...{ claim: 3, release: 1, 'claim again': 1, 'give up': 1 },
};

/** After a failover: accounts are gone, or made anew, and much is sent again. */
const AFTER_FAILOVER: typeof WEIGHTS = {
  ...WEIGHTS,
  ...{ lease: 3, 'give back': 1, settle: 10, again: 8, post: 2, claim: 1, account: 5 },
};

export const requests = fc.oneof(
  { weight: 2, arbitrary: sequencesOf(WEIGHTS) },
  { weight: 1, arbitrary: sequencesOf(AFTER_FAILOVER) },
);
export type Request = { [What in keyof typeof STEPS]: ArbitraryValue<(typeof STEPS)[What]> }[keyof typeof STEPS];
export type RequestOf<What extends Request['what']> = Extract<Request, { readonly what: What }>;
export type RequestedCall = ArbitraryValue<typeof call>;
export type EpochChoice = ArbitraryValue<typeof epoch>;

type ArbitraryValue<Source> = Source extends fc.Arbitrary<infer Value> ? Value : never;

function sequencesOf(weights: typeof WEIGHTS): fc.Arbitrary<Request[]> {
  return fc.array(fc.oneof(...typedEntries().map(([what, arbitrary]) => ({ weight: weights[what], arbitrary }))), {
    minLength: 1,
    maxLength: 45,
    size: 'max',
  });
}

function typedEntries(): readonly (readonly [keyof typeof STEPS, fc.Arbitrary<Request>])[] {
  return Object.entries(STEPS) as unknown as readonly (readonly [keyof typeof STEPS, fc.Arbitrary<Request>])[];
}

function often<const Value>(mostly: Value, rarely: Value): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 5, arbitrary: fc.constant(mostly) }, { weight: 1, arbitrary: fc.constant(rarely) });
}
