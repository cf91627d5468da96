/** Query parameters as parsed by the router: a repeated one is a list. */
import { GatewayError } from '../../core/errors.ts';

export type Query = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Null if it is absent or empty. Throws `GatewayError` `invalid_value` if it is sent twice. */
export function oneOf(query: Query, name: string): string | null {
  const value = query[name];
  if (value === undefined || value === '') return null;
  if (typeof value === 'string') return value;
  throw new GatewayError('invalid_value', { message: `${name} was sent more than once.`, param: name });
}
