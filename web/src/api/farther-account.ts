/** The session lists 200 accounts for operators; they can reach the others, too, if the address names them. */

interface ListedAccounts {
  readonly accounts: readonly { readonly id: number }[];
  readonly more_accounts: boolean;
}

/** The account that `?account=` names if the session does not list it; otherwise null. */
export function fartherAccount(listed: ListedAccounts, asked: string | null): number | null {
  if (!listed.more_accounts || asked === null || !/^[1-9]\d{0,14}$/.test(asked)) return null;
  return listed.accounts.some(({ id }) => String(id) === asked) ? null : Number(asked);
}
