/** A row whose columns this version cannot read: changed by hand, or written by a newer version. It is not trouble of the database. */
export class UnreadableRow extends Error {
  constructor(what: string, id: number, cause: unknown) {
    super(`The row of ${what} ${id} in the database cannot be read; correct it.`, { cause });
    this.name = 'UnreadableRow';
  }
}
