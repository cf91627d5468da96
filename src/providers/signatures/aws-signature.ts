/**
 * Requests to AWS, signed with access keys (of the entry, of a container or of an instance) or with a Bedrock API key as a bearer token.
 *
 * https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys-use.html
 */
import type { Clock } from '../../core/clock.ts';
import { asText } from '../../core/json-object.ts';
import { type CredentialTest, credentialTest } from '../credential-test.ts';
import type { CheckedOptions, CredentialSource } from '../provider-options.ts';
import type { AnswerHeaders, Signed, UnsignedRequest } from '../route.ts';
import { bearer, type Signature, type Signer } from '../signature.ts';
import { containerKeys, type FetchAwsKeys, instanceKeys } from './aws-key-sources.ts';
import { type AwsKeys, readAwsKeys } from './aws-keys.ts';
import { Renewal } from './renewal.ts';
import { type AwsScope, signAwsRequest } from './sign-aws-request.ts';

const SOURCES: Readonly<Record<CredentialSource, FetchAwsKeys>> = { container: containerKeys, instance: instanceKeys };

export const awsSignature: Signature = {
  name: 'SigV4 or bearer',
  open(credential, around) {
    const keys = readAwsKeys(credential.reveal());
    return keys === null
      ? bearer.open(credential, around)
      : new AwsSigner(
          () => keys,
          () => false,
          around,
        );
  },
  openFrom(source, around) {
    const { outside } = around;
    const fetchKeys = SOURCES[source];
    const renewal = new Renewal<AwsKeys>({ clock: outside.clock, fetch: () => fetchKeys(outside) });
    return new AwsSigner(
      () => renewal.current(),
      (keys) => renewal.drop(keys),
      around,
    );
  },
};

interface Around {
  readonly options: CheckedOptions;
  readonly outside: { readonly clock: Clock };
}

class AwsSigner implements Signer {
  readonly #keys: () => AwsKeys | Promise<AwsKeys>;
  readonly #drop: (keys: AwsKeys) => boolean;
  readonly #clock: Clock;
  readonly #scope: AwsScope;
  /** By how much AWS's clock is ahead of ours. */
  #skewMs = 0;
  readonly #tests = new WeakMap<AwsKeys, CredentialTest>();

  constructor(keys: () => AwsKeys | Promise<AwsKeys>, drop: (keys: AwsKeys) => boolean, { options, outside }: Around) {
    this.#keys = keys;
    this.#drop = drop;
    this.#clock = outside.clock;
    this.#scope = { region: options.region ?? '', service: 'bedrock' };
  }

  sign(request: UnsignedRequest, host: string): Signed | Promise<Signed> {
    const keys = this.#keys();
    if (!(keys instanceof Promise)) return this.#signWith(keys, request, host);
    return keys.then((later) => this.#signWith(later, request, host));
  }

  #signWith(keys: AwsKeys, { method, route, headers, body }: UnsignedRequest, host: string): Signed {
    const all = { ...route.headers, ...headers };
    const { path, query } = route;
    const request = { method, host, path, query, headers: all, body };
    const added = signAwsRequest(request, keys, this.#scope, this.#clock.now() + this.#skewMs);
    return {
      headers: { ...all, ...added },
      secrets: this.#testOf(keys, added),
      refused: (status, answer) => this.#refused(keys, status, answer),
    };
  }

  /** What must not come back: the keys, and the signature of this request. The date is no secret. */
  #testOf(keys: AwsKeys, added: Readonly<Record<string, string>>): CredentialTest {
    const signature = added['authorization']?.split('Signature=')[1] ?? '';
    let ofKeys = this.#tests.get(keys);
    if (ofKeys === undefined) {
      const { accessKeyId, secretAccessKey, sessionToken } = keys;
      ofKeys = credentialTest([accessKeyId, secretAccessKey, ...(sessionToken === null ? [] : [sessionToken])]);
      this.#tests.set(keys, ofKeys);
    }
    return either(ofKeys, credentialTest([signature]));
  }

  /** Whether another signature may be accepted: by AWS's clock, or with new keys. */
  #refused(keys: AwsKeys, status: number, headers: AnswerHeaders): boolean {
    if (status !== 400 && status !== 401 && status !== 403) return false;
    const type = asText(headers['x-amzn-errortype'])?.split(':')[0] ?? '';
    if (CLOCK_REFUSALS.test(type) && this.#learnSkew(headers)) return true;
    return KEY_REFUSALS.test(type) && this.#drop(keys);
  }

  /** Whether it differs from what is known by more than a request may be late. */
  #learnSkew(headers: AnswerHeaders): boolean {
    const there = Date.parse(asText(headers['date']) ?? '');
    if (Number.isNaN(there)) return false;
    const skewMs = there - this.#clock.now();
    if (Math.abs(skewMs - this.#skewMs) < SKEW_MIN_MS || Math.abs(skewMs) > SKEW_MAX_MS) return false;
    this.#skewMs = skewMs;
    return true;
  }
}

/** AWS accepts five minutes: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-troubleshooting.html */
const SKEW_MIN_MS = 60_000;
/** Further off is nobody's clock; and a date in the year 275760 would leave no later one to sign with. */
const SKEW_MAX_MS = 10 * 366 * 86_400_000;
const CLOCK_REFUSALS =
  /^(InvalidSignature|SignatureDoesNotMatch|RequestExpired|RequestTimeTooSkewed|RequestInTheFuture)/;
const KEY_REFUSALS = /^(ExpiredToken|UnrecognizedClient|InvalidClientTokenId|IncompleteSignature|InvalidSignature)/;

function either(one: CredentialTest, other: CredentialTest): CredentialTest {
  const isIn = (text: string | Buffer, bytesMax?: number) => one(text, bytesMax) || other(text, bytesMax);
  return Object.assign(isIn, { lengthMin: Math.min(one.lengthMin, other.lengthMin) });
}
