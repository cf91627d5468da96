/** Enough money for every test that is not about money: spread into a configuration file. */
export const PLENTY = { billing: { firstRunCredit: '1000000' } } as const;
