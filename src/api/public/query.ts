/** Query parameters as a router parses them: one that is repeated is a list. */
import { GatewayError } from '../../core/errors.ts';

export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Null where it is not sent, or empty. Throws `GatewayError` `invalid_value` where it is sent twice. */
export function oneOf(query: Query, name: string): string | null {
  const value = query[name];
  if (value === undefined || value === '') return null;
  if (typeof value === 'string') return value;
  throw new GatewayError('invalid_value', { message: `${name} was sent more than once.`, param: name });
}
