/** Operators are told of 200 accounts; others are theirs all the same, where the address names them. */

interface Told {
  readonly accounts: readonly { readonly id: number }[];
  readonly more_accounts: boolean;
}

/** The account that `?account=` names and the session does not tell of; null where it names none, or one that is told of. */
export function fartherAccount(told: Told, asked: string | null): number | null {
  if (!told.more_accounts || asked === null || !/^[1-9]\d{0,14}$/.test(asked)) return null;
  return told.accounts.some(({ id }) => String(id) === asked) ? null : Number(asked);
}
