/**
 * How requests to a provider are signed. A signature of fixed headers is one line; one that depends on the request, or must
 * fetch a token first, implements `Signature` in its own file.
 */
import type { Secret } from '../core/secret.ts';
import { credentialTest } from './credential-test.ts';
import type { Outside } from './outside.ts';
import type { CheckedOptions, CredentialSource } from './provider-options.ts';
import type { Headers, Signed, UnsignedRequest } from './route.ts';

export interface Signature {
  /** The name used in the documentation. */
  readonly name: string;
  /** Throws a `TypeError` whose message continues "The provider … " and contains no part of the credential. */
  open(credential: Secret, around: SignatureContext): Signer;
  /** For an entry whose keys come from somewhere else. If absent, it has to have a credential. */
  openFrom?(source: CredentialSource, around: SignatureContext): Signer;
}

export interface SignatureContext {
  readonly options: CheckedOptions;
  readonly outside: Outside;
}

/** Holds a credential, which neither `inspect` nor `JSON.stringify` may show. */
export interface Signer {
  /**
   * `host`: with its port, as in the request's header of that name. Returns a promise only if signing has to wait; it rejects with a
   * `GatewayError`. Does not change the request's headers.
   */
  sign(request: UnsignedRequest, host: string): Signed | Promise<Signed>;
}

export const bearer = inHeader('bearer', 'authorization', 'Bearer ');
export const xApiKey = inHeader('x-api-key', 'x-api-key');
export const xGoogApiKey = inHeader('x-goog-api-key', 'x-goog-api-key');

/** The credential as the value of a header, with an optional prefix. */
export function inHeader(name: string, header: string, before = ''): Signature {
  return {
    name,
    open(credential) {
      const value = credential.reveal();
      // An invalid header value would only fail later, in an error of the HTTP client that might show it.
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
