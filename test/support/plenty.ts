/** So much money that no test runs out of it which is not about money: spread into a configuration file. */
export const PLENTY = { billing: { firstRunCredit: '1000000' } } as const;
