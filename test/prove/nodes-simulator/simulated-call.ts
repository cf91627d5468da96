/** A call at one node, from the bank's answer to its settlement. */
import type { Hold, HoldRequest } from '../../../src/billing/bank.ts';
import { OpenHold } from '../../../src/billing/open-hold.ts';
import { type Money, NO_MONEY } from '../../../src/core/money.ts';
import { LIST_RATE } from '../../../src/core/rates/rate.ts';
import type { Ending, Settlement } from '../../../src/core/settlement.ts';
import { NO_USAGE } from '../../../src/core/usage.ts';
import type { SimulatedProcess } from './simulated-process.ts';

export class SimulatedCall {
  readonly process: SimulatedProcess;
  readonly request: HoldRequest;
  readonly hold: Hold;
  /** Its key was revoked, running calls included. */
  isCut = false;
  /** Whether another request of it is under way. */
  isBusy = false;

  constructor(process: SimulatedProcess, request: HoldRequest, hold: Hold) {
    this.process = process;
    this.request = request;
    this.hold = hold;
  }

  get lease() {
    if (!(this.hold instanceof OpenHold) || this.hold.lease === null) throw new Error('a hold of a node has a lease');
    return this.hold.lease;
  }

  settlement(charge: Money, ending: Ending): Settlement {
    const { callId, admittedAt, accountId, projectId, keyId } = this.request;
    return {
      callId,
      admittedAt,
      accountId,
      projectId,
      keyId,
      operation: 'chat',
      model: 'acme/large',
      provider: 'acme',
      usage: NO_USAGE,
      usageSource: 'reported',
      priceVersion: null,
      rate: LIST_RATE,
      ownCredential: false,
      cost: charge,
      hold: this.hold.recorded,
      charge,
      fault: NO_MONEY,
      variance: NO_MONEY,
      nodeLoss: NO_MONEY,
      saved: NO_MONEY,
      ending,
    };
  }
}
