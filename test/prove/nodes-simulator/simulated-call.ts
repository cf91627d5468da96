/** A call at one node, from the bank's answer to its settlement. */
import type { Hold, HoldRequest } from '../../../src/billing/bank.ts';
import { settledCall } from '../../../src/billing/bank-under-test.ts';
import { OpenHold } from '../../../src/billing/open-hold.ts';
import type { Money } from '../../../src/core/money.ts';
import type { Ending, Settlement } from '../../../src/core/settlement.ts';
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
    return settledCall(this.request, { hold: this.hold.recorded, charge, ending });
  }
}
