/** How an installation pays for calls: from a balance beforehand, into a debt, or not at all (budgets count all the same). */
export type BillingMode = 'prepaid' | 'postpaid' | 'off';
