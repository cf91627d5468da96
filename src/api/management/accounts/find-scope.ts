/**
 * Finds what a command names by its id or its name. An id stands for itself, whatever others are called: names are chosen
 * by whoever has the account, and nobody is to get between an operator and an id. Several of one name are a conflict.
 */
import { GatewayError } from '../../../core/errors.ts';

interface Named {
  readonly id: number;
  readonly name: string;
}

/** Whether a row is called so, or has this id. */
export function isNamed(row: Named, wanted: string | number | null): boolean {
  return row.name === wanted || String(row.id) === String(wanted);
}

/** The one of this id; where there is none, those of this name. */
export function matching<Row extends Named>(rows: readonly Row[], wanted: string | number): readonly Row[] {
  const byId = rows.find(({ id }) => String(id) === String(wanted));
  return byId === undefined ? rows.filter(({ name }) => name === wanted) : [byId];
}

/** Throws `GatewayError` `not_found` or `conflict`; `what` is the noun, and the field at fault. */
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
