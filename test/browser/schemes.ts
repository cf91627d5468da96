/** Which colour schemes the tours of all pages see. */

export type Scheme = 'light' | 'dark';
export type Schemes = readonly [Scheme, ...Scheme[]];

/** Set by `npm run prove -- pages`: each tour sees both schemes. */
export const BOTH_SCHEMES = 'TURNPIKE_TEST_BOTH_SCHEMES';

/** Which schemes a tour sees, the given one first. */
export function schemesOf(first: Scheme): Schemes {
  const other = first === 'light' ? 'dark' : 'light';
  return process.env[BOTH_SCHEMES] === undefined ? [first] : [first, other];
}

/** For the name of a test. */
export function namesOf(schemes: Schemes): string {
  return [...schemes].sort().reverse().join(' and ');
}
