/** Which pages make sense for somebody. */

export interface Audience {
  /** Only for who runs the installation. */
  readonly operator?: true;
  /** Makes sense without an account, too: for everybody, or for who runs the installation. */
  readonly accountless?: true | 'operator';
}

/** Whether somebody can use a page: `hasAccount` where one is chosen. */
export function isOpenTo(page: Audience, isOperator: boolean, hasAccount: boolean): boolean {
  if (page.operator === true && !isOperator) return false;
  return hasAccount || page.accountless === true || (page.accountless === 'operator' && isOperator);
}
