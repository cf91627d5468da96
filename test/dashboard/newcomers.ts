/** A new person in account B, with a separate browser, at an address that a trusted proxy reports. */
import { Browser } from './browser.ts';
import { good, PASSWORD, type Person, type Town, tokenIn, whoIs } from './two-accounts.ts';

export interface Newcomer extends Person {
  /** Another browser of the same person. */
  signIn(address: string): Promise<Browser>;
}

let newcomers = 0;

export async function newMember(town: Town, role: string): Promise<Newcomer> {
  newcomers += 1;
  const { link } = good(await town.control('POST', `/invitations?account=${town.b.id}`, { role })).json;
  const browser = browserAt(town, `10.9.0.${newcomers}`);
  const email = `guest-${newcomers}@example.com`;
  const person = { token: tokenIn(link), email, name: `Guest ${newcomers}`, password: PASSWORD };
  good(await browser.ask('POST', '/invitations/accept', person));
  good(await browser.signIn(email, PASSWORD));
  const signIn = async (address: string) => {
    const other = browserAt(town, address);
    good(await other.signIn(email, PASSWORD));
    return other;
  };
  return { ...(await whoIs(browser)), browser, signIn };
}

export function browserAt({ url }: Town, address: string): Browser {
  return new Browser(url, { 'x-forwarded-for': address });
}
