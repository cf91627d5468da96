import type { CallId, PriceVersionId } from '../core/ids.ts';
import type { Money } from '../core/money.ts';

/** One answer as its caller got it, and what is needed to give it again. */
export interface KeptAnswer {
  /** The call that was answered with it first. */
  readonly callId: CallId;
  readonly model: string;
  readonly provider: string;
  readonly priceVersion: PriceVersionId | null;
  /** What that call was charged: what each further call saves. */
  readonly charge: Money;
  readonly warnings: readonly string[];
  /** `whole`, or which kind of stream. */
  readonly form: string;
  readonly body: Buffer;
}
