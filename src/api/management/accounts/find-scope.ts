/**
 * Finds a row by id or name. Ids take precedence: account holders choose names, and a name must not hide another row's id from an operator.
 * Several rows with the same name are a conflict.
 */
import { GatewayError } from '../../../core/errors.ts';

interface Named {
  readonly id: number;
  readonly name: string;
}

/** Whether a row has this name or id. */
export function isNamed(row: Named, wanted: string | number | null): boolean {
  return row.name === wanted || String(row.id) === String(wanted);
}

/** The row with this id; if there is none, those with this name. */
export function matching<Row extends Named>(rows: readonly Row[], wanted: string | number): readonly Row[] {
  const byId = rows.find(({ id }) => String(id) === String(wanted));
  return byId === undefined ? rows.filter(({ name }) => name === wanted) : [byId];
}

/** Throws `GatewayError` `not_found` or `conflict`; `what` is the noun in the message, and the field. */
export function findNamed<Row extends Named>(rows: readonly Row[], wanted: string | number, what: string): Row {
  const matches = matching(rows, wanted);
  const [found, ...others] = matches;
  if (found === undefined) throw new GatewayError('not_found', { message: `No ${what} matches.`, param: what });
  if (others.length > 0) {
    const ids = matches.map((row) => row.id);
    throw new GatewayError('conflict', {
      message: `Several ${what}s match; use one of these ids: ${ids.join(', ')}.`,
      param: what,
      facts: { ids },
    });
  }
  return found;
}
