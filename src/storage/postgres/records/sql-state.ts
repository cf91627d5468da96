/** Whether an error is one of the server's, with this code: https://www.postgresql.org/docs/current/errcodes-appendix.html */
export function hasState(error: unknown, code: string): boolean {
  for (let each = error; each instanceof Error; each = each.cause)
    if ('code' in each && each.code === code) return true;
  return false;
}

/** A row fits no partition, or violates a condition of its table. */
export const CHECK_VIOLATION = '23514';
