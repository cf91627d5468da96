/** Signs with a bearer token that is fetched, and renewed before it ends. */
import { credentialTest } from '../credential-test.ts';
import type { Signed, UnsignedRequest } from '../route.ts';
import type { Signer } from '../signature.ts';
import { Renewal, type RenewalParts } from './renewal.ts';

/** `never`: what the token was made from, and what must not be repeated either. */
export class TokenSigner implements Signer {
  readonly #renewal: Renewal<string>;
  readonly #never: readonly string[];
  /** Of the newest token. */
  #made: { readonly token: string; readonly secrets: Signed['secrets'] } | null = null;

  constructor(parts: RenewalParts<string>, never: readonly string[]) {
    this.#renewal = new Renewal(parts);
    this.#never = never;
  }

  sign(request: UnsignedRequest): Signed | Promise<Signed> {
    const token = this.#renewal.current();
    return typeof token === 'string' ? this.#signWith(token, request) : token.then((it) => this.#signWith(it, request));
  }

  #signWith(token: string, { route, headers }: UnsignedRequest): Signed {
    let made = this.#made;
    if (made?.token !== token) {
      made = { token, secrets: credentialTest([token, ...this.#never]) };
      this.#made = made;
    }
    return {
      headers: { ...route.headers, ...headers, authorization: `Bearer ${token}` },
      secrets: made.secrets,
      // The service may end a token before its time.
      refused: (status) => status === 401 && this.#renewal.drop(token),
    };
  }
}
