/** The session lists 200 accounts for operators; they can reach the others, too, if the address names them. */

interface Told {
  readonly accounts: readonly { readonly id: number }[];
  readonly more_accounts: boolean;
}

/** The account that `?account=` names if the session does not list it; otherwise null. */
export function fartherAccount(told: Told, asked: string | null): number | null {
  if (!told.more_accounts || asked === null || !/^[1-9]\d{0,14}$/.test(asked)) return null;
  return told.accounts.some(({ id }) => String(id) === asked) ? null : Number(asked);
}
