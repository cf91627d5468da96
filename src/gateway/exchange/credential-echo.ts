/**
 * A provider's text goes to the caller unchanged, unless it repeats the credential of the request. Every header, every error,
 * whatever a record keeps, and the parts of an answer other than the model's words are checked here first.
 */
import { errorTable, GatewayError } from '../../core/errors.ts';
import type { AnswerWords } from '../../dialects/interface/answer-words.ts';
import type { Provider } from '../../providers/provider.ts';
import type { Signed } from '../../providers/route.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Frame } from '../../wire/frames/frame.ts';
import { type CredentialTest, isInDroppedField, isOutsideWords, isOutsideWordsOfFrame } from './echo-in-answer.ts';

export interface EchoPorts {
  readonly log: Pick<Log, 'warn'>;
  readonly metrics: Pick<Metrics, 'alert'>;
}

/** The log message. */
export const CREDENTIAL_ECHOED =
  'a provider repeated its credential; the part of the answer that contained it was withheld';

type EchoingProvider = Pick<Provider, 'name' | 'isMembers'>;

/** For one attempt of a call. */
export class CredentialEcho {
  readonly #ports: EchoPorts;
  readonly #call: { readonly requestId: string };
  readonly #provider: EchoingProvider;
  readonly #secrets: Signed['secrets'];
  /** The test for whole answers. */
  readonly #test: CredentialTest;

  /** `secrets`: those of the request sent to `provider`. */
  constructor(
    ports: EchoPorts,
    call: { readonly requestId: string },
    provider: EchoingProvider,
    secrets: Signed['secrets'],
  ) {
    this.#ports = ports;
    this.#call = call;
    this.#provider = provider;
    this.#secrets = secrets;
    this.#test = {
      lengthMin: secrets.lengthMin,
      // Without a limit of length.
      isIn: (text) => secrets(text, Number.POSITIVE_INFINITY),
    };
  }

  /** Shorter text cannot repeat it, in bytes. */
  get lengthMin(): number {
    return this.#test.lengthMin;
  }

  /** Whether a 2xx answer's event, as the provider sent it, must be held back: everything but the model's words is checked. */
  isInEvent(frame: Frame, words: AnswerWords): boolean {
    return isOutsideWordsOfFrame(frame, words, this.#test) && this.#report('answer event');
  }

  /** The same for the JSON of a whole answer. Fields that are given twice are not in it: `isInDropped` must be asked, too. */
  isInValues(answer: object, words: AnswerWords): boolean {
    return isOutsideWords(answer, words, this.#test) && this.#report('answer');
  }

  /** Whether the bytes of a whole answer repeat it in a field that is given twice, of which a parser returns only the last. */
  isInDropped(bytes: Buffer): boolean {
    return isInDroppedField(bytes, this.#test) && this.#report('answer');
  }

  /**
   * Whether `text` must be held back; it is then logged for the operator. `where` it was found: a header's name, `error
   * event`, …
   */
  isIn(text: string | Buffer, where: string, bytesMax?: number): boolean {
    return this.#secrets(text, bytesMax) && this.#report(where);
  }

  #report(where: string): true {
    const { name, isMembers } = this.#provider;
    // A member's own credential is no secret of the operator's, and its server may be the member's, too.
    if (isMembers) return true;
    this.#ports.metrics.alert('credential_echoed');
    this.#ports.log.warn({ request: this.#call.requestId, provider: name, where }, CREDENTIAL_ECHOED);
    return true;
  }
}

/** The error without the provider's words, if its source must be held back. */
export function withoutEcho(echo: CredentialEcho | null, error: unknown, text: Buffer | null, where: string): unknown {
  if (!(error instanceof GatewayError) || echo === null) return error;
  if (!echo.isIn(text ?? error.message, where)) return error;
  const { code, retryAfterSeconds } = error;
  const message = refusalWords(code);
  return new GatewayError(code, {
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
    ...(message === null ? {} : { message }),
  });
}

/** The text instead of a provider's own words; null if the code's default message is right. */
export function refusalWords(code: GatewayError['code']): string | null {
  // Those default messages are about the caller's connection to us, not about the provider.
  return errorTable[code].status < 500 && code !== 'upstream_rate_limited'
    ? 'The provider rejected the request.'
    : null;
}
