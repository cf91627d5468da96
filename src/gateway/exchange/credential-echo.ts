/**
 * What a provider says goes to the caller as it is, but not where it repeats what its request was signed with. Every
 * header, every error, whatever a record keeps, and what a good answer has beside its words is asked about here first; its words are not.
 */
import { errorTable, GatewayError } from '../../core/errors.ts';
import type { AnswerWords } from '../../dialects/interface/answer-words.ts';
import type { Signed } from '../../providers/route.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Frame } from '../../wire/frames/frame.ts';
import { type CredentialTest, isBesideWordsIn, isBesideWordsOf } from './echo-in-answer.ts';

export interface EchoPorts {
  readonly log: Pick<Log, 'warn'>;
  readonly metrics: Pick<Metrics, 'alert'>;
}

/** What the log says of it. */
export const CREDENTIAL_ECHOED =
  'a provider repeated its credential; the part of the answer that contained it was withheld';

/** Of one attempt of a call. */
export class CredentialEcho {
  readonly #ports: EchoPorts;
  readonly #call: { readonly requestId: string };
  readonly #provider: string;
  readonly #secrets: Signed['secrets'];
  /** Of one answer's many short names and texts, none is tested. */
  readonly #test: CredentialTest;

  /** `secrets` of what was sent to `provider`. */
  constructor(ports: EchoPorts, call: { readonly requestId: string }, provider: string, secrets: Signed['secrets']) {
    this.#ports = ports;
    this.#call = call;
    this.#provider = provider;
    this.#secrets = secrets;
    this.#test = {
      lengthMin: secrets.lengthMin,
      // However long it is.
      isIn: (said) => secrets(said, Number.POSITIVE_INFINITY),
    };
  }

  /** What is shorter repeats nothing: bytes. */
  get lengthMin(): number {
    return this.#test.lengthMin;
  }

  /** Whether an event of a good answer, as its provider sent it, must stay inside: all but the answer's words is looked at. */
  isInEvent(frame: Frame, words: AnswerWords): boolean {
    return isBesideWordsOf(frame, words, this.#test) && this.#report('answer event');
  }

  /** The same of a whole answer: `answer` is what was read from `bytes` as JSON. */
  isInAnswer(bytes: Buffer, answer: object, words: AnswerWords): boolean {
    return isBesideWordsIn(bytes, answer, words, this.#test) && this.#report('answer');
  }

  /** Whether what was said must stay inside; the operator reads of it in the log. `where` it was said: a header's name, `error event`, … */
  isIn(said: string | Buffer, where: string, bytesMax?: number): boolean {
    return this.#secrets(said, bytesMax) && this.#report(where);
  }

  #report(where: string): true {
    this.#ports.metrics.alert('credential_echoed');
    this.#ports.log.warn({ request: this.#call.requestId, provider: this.#provider, where }, CREDENTIAL_ECHOED);
    return true;
  }
}

/** The error without the provider's words, where what it was read from must stay inside. */
export function withoutEcho(echo: CredentialEcho | null, error: unknown, said: Buffer | null, where: string): unknown {
  if (!(error instanceof GatewayError) || echo === null) return error;
  if (!echo.isIn(said ?? error.message, where)) return error;
  const { code, retryAfterSeconds } = error;
  const message = refusalWords(code);
  return new GatewayError(code, {
    ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }),
    ...(message === null ? {} : { message }),
  });
}

/** In place of a provider's own words; null where the code's own sentence says it. */
export function refusalWords(code: GatewayError['code']): string | null {
  // These sentences are about the caller's connection to us, not about the provider.
  return errorTable[code].status < 500 && code !== 'upstream_rate_limited'
    ? 'The provider rejected the request.'
    : null;
}
