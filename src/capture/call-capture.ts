/** The bodies of one call, as they pass; made where its account lets them be kept, and nowhere else. */
import type { AccountId, CallId } from '../core/ids.ts';
import { BodyCopy } from './body-copy.ts';

/** What is kept of a body, bytes. */
export const BODY_BYTES_MAX = 256 * 1024;
/** So that nothing secret is cut in half before it is looked for. */
export const CUT_BYTES = 4096;

export interface CaptureTerms {
  readonly retentionDays: number;
  readonly redact: boolean;
}

export class CallCapture {
  readonly callId: CallId;
  readonly accountId: AccountId;
  /** As the account had them when the request was read. */
  readonly terms: CaptureTerms;
  /** The whole body, however large: media in it are put away before it is cut. */
  readonly request: Buffer;
  readonly response = new BodyCopy(BODY_BYTES_MAX + CUT_BYTES);

  constructor(callId: CallId, accountId: AccountId, terms: CaptureTerms, request: Buffer) {
    this.callId = callId;
    this.accountId = accountId;
    this.terms = terms;
    this.request = request;
  }
}
