/** What maintenance of the ledger has to know. Plain data: jobs run on threads. */
export interface MaintenanceSetting {
  /** `prepaid`, `postpaid` or `off`. */
  readonly billingMode: string;
  readonly longestCallMs: number;
  /** Of this program; a backup says which one made it. */
  readonly version: string;
  /** The address of a module that exports `ledgerRules`, the domain's `LedgerRules`: each job imports it on its own thread. */
  readonly rulesModule: string;
}
