/** How accounts pay for calls: in advance from a balance, afterwards, or not at all. Budgets apply in every mode. */
export type BillingMode = 'prepaid' | 'postpaid' | 'off';
