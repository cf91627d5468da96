/**
 * How requests to a provider are signed. A signature of fixed headers is a line; one that depends on the request, or has to fetch
 * a token first, implements `Signature` in a file of its own.
 */
import type { Secret } from '../core/secret.ts';
import { credentialTest } from './credential-test.ts';
import type { Headers, Signed, UnsignedRequest } from './route.ts';

export interface Signature {
  /** As documents name it. */
  readonly name: string;
  /** Throws a `TypeError` whose message continues "The provider … " and shows nothing of the credential. */
  open(credential: Secret): Signer;
}

/** Knows a credential. Neither `inspect` nor `JSON.stringify` may show it. */
export interface Signer {
  /** A promise only where signing has to wait; it rejects with a `GatewayError`. The request's own headers stay as they are. */
  sign(request: UnsignedRequest): Signed | Promise<Signed>;
}

export const bearer = inHeader('bearer', 'authorization', 'Bearer ');
export const xApiKey = inHeader('x-api-key', 'x-api-key');

/** The credential as the value of a header, with something before it. */
function inHeader(name: string, header: string, before = ''): Signature {
  return {
    name,
    open(credential) {
      const value = credential.reveal();
      // What cannot stand in a header would only fail later, in an error of the client that might show it.
      if (!/^[\x21-\x7e]+$/.test(value))
        throw new TypeError('has a credential with blanks, line breaks or other characters no header can carry');
      return new HeaderSigner({ [header]: before + value });
    },
  };
}

/** Adds the same headers to every request. */
class HeaderSigner implements Signer {
  readonly #headers: Headers;
  readonly #secrets: Signed['secrets'];

  constructor(headers: Headers) {
    this.#headers = headers;
    this.#secrets = credentialTest(Object.values(headers));
  }

  sign({ route, headers }: UnsignedRequest): Signed {
    return { headers: { ...route.headers, ...headers, ...this.#headers }, secrets: this.#secrets };
  }
}

/** For providers without a credential. */
export const unsigned: Signer = new HeaderSigner({});
