/** What pages show of money, for storages that answer it. */
export type { BillingMode } from './billing-mode.ts';
export type { MoneyView, ScopeMoney, ScopeRef } from './money-view.ts';
