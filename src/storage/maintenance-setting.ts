/** The settings of ledger maintenance. Plain data, because jobs run on threads. */
export interface MaintenanceSetting {
  readonly billingMode: 'prepaid' | 'postpaid' | 'off';
  readonly longestCallMs: number;
  /** The version of this program; a backup contains it. */
  readonly version: string;
  /** The URL of a module that exports `ledgerRules`, the domain's `LedgerRules`: each job imports it on its own thread. */
  readonly rulesModule: string;
}
