/** One call of the simulation: what it asks, how far it came, what its caller has seen. */
import type { Hold, HoldRequest } from '../../../src/billing/bank.ts';
import type { BoundRequest } from '../../../src/billing/bound.ts';
import { sharesOf } from '../../../src/billing/charge.ts';
import { costOf } from '../../../src/billing/cost.ts';
import { countUsage } from '../../../src/billing/estimate.ts';
import type { PinnedRates } from '../../../src/billing/rates.ts';
import type { Target } from '../../../src/catalog/model.ts';
import type { KeyId } from '../../../src/core/ids.ts';
import { type Money, NO_MONEY, roundUpToNano } from '../../../src/core/money.ts';
import type { Ending, Settlement } from '../../../src/core/settlement.ts';
import { NO_USAGE, type Usage, type UsageSource } from '../../../src/core/usage.ts';

const BYTES_PER_TOKEN = 4;

export class SimulatedCall {
  readonly hold: Hold;
  readonly request: HoldRequest;
  /** As it was written for the target. */
  asked: BoundRequest;
  /** The target that answers, with the prices at the time of the request. */
  target: Target;
  model: string;
  /** The rates at the time of the request. */
  readonly rates: PinnedRates;
  /** Whether an own credential of the account is used. */
  ownCredential: boolean;
  /** Of the key itself, which may be a later one of its chain. */
  readonly keyId: KeyId;
  /** The output cap that the provider obeys. */
  cap: number;
  readonly isStreamed: boolean;
  /** `securing`: no byte may go out before the hold is durable. */
  state: 'asked' | 'securing' | 'answering' | 'ending' | 'over' = 'asked';
  deliveredTokens = 0;
  sawFirstByte = false;
  /** Which of the installation's rates it has; see `SimulatedNode.ratesVersion`. */
  ratesVersion = 0;
  sawEnd = false;

  constructor(parts: {
    readonly hold: Hold;
    readonly request: HoldRequest;
    readonly asked: BoundRequest;
    readonly target: Target;
    readonly model: string;
    readonly rates: PinnedRates;
    readonly ownCredential: boolean;
    readonly keyId: KeyId;
    readonly isStreamed: boolean;
  }) {
    this.hold = parts.hold;
    this.request = parts.request;
    this.asked = parts.asked;
    this.target = parts.target;
    this.model = parts.model;
    this.rates = parts.rates;
    this.ownCredential = parts.ownCredential;
    this.keyId = parts.keyId;
    this.isStreamed = parts.isStreamed;
    this.cap = parts.hold.outputCap ?? parts.request.bound?.outputCap ?? 1_000;
  }

  /** What is counted if the provider reported nothing: the prompt, and what was sent so far. */
  counted(): Usage {
    const { media, bodyBytes } = this.asked;
    const prompt = { promptBytes: bodyBytes - media.bytes, media: { ...media, fileCharacters: 0 } };
    const answer = { outputBytes: this.deliveredTokens * BYTES_PER_TOKEN, outputTokens: null };
    return countUsage(prompt, answer, this.target);
  }

  /** The settlement that applies if the process dies now. */
  crashed(): Settlement {
    return this.deliveredTokens === 0
      ? this.settlement('gateway_crashed', NO_USAGE, 'none')
      : this.settlement('gateway_crashed', this.counted(), 'estimated');
  }

  settlement(ending: Ending, usage: Usage, usageSource: UsageSource): Settlement {
    const { hold, request, target, ownCredential } = this;
    const cost = this.#cost(usage, usageSource);
    const rate = this.rates.rateOf(this.model, ownCredential);
    return {
      callId: request.callId,
      admittedAt: request.admittedAt,
      accountId: request.accountId,
      projectId: request.projectId,
      keyId: this.keyId,
      operation: 'chat',
      model: this.model,
      provider: target.provider,
      usage,
      usageSource,
      priceVersion: target.priceVersion,
      rate,
      ownCredential,
      cost,
      hold: hold.recorded,
      ...sharesOf({ ending, cost, rate, ownCredential }, hold.amount),
      nodeLoss: NO_MONEY,
      saved: NO_MONEY,
      ending,
    };
  }

  #cost(usage: Usage, source: UsageSource): Money | null {
    const { prices } = this.target;
    if (prices === null) return null;
    return source === 'none' ? (0n as Money) : roundUpToNano(costOf(usage, prices));
  }
}
