/** Collects the bodies of one call; created only if its account stores bodies. */
import type { AccountId, CallId } from '../core/ids.ts';
import { BodyCopy } from './body-copy.ts';

/** The maximum stored size of a body, bytes. */
export const BODY_BYTES_MAX = 256 * 1024;
/** Additional bytes that are searched for secrets, so that none is cut in half before it is found. */
export const CUT_BYTES = 4096;

export interface CaptureTerms {
  readonly retentionDays: number;
  readonly redact: boolean;
}

export class CallCapture {
  readonly callId: CallId;
  readonly accountId: AccountId;
  /** The account's settings when the request was read. */
  readonly terms: CaptureTerms;
  /** The whole body, however large: media in it are collapsed before it is truncated. Of a form, what is known of it. */
  request: Buffer;
  readonly response = new BodyCopy(BODY_BYTES_MAX + CUT_BYTES);

  constructor(callId: CallId, accountId: AccountId, terms: CaptureTerms, request: Buffer) {
    this.callId = callId;
    this.accountId = accountId;
    this.terms = terms;
    this.request = request;
  }
}
