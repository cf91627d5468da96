/** What is answered when the storage could not do its part: that is nobody's mistake, and passes. */
import { GatewayError } from './errors.ts';

export interface StorageTroublePorts {
  /** Whether the error means that the storage is not available now. */
  isStorageTrouble(error: unknown): boolean;
}

const MESSAGE = 'The database is not available right now; try again shortly.';
const RETRY_SECONDS = 5;

/** 503 in place of an internal error that is the storage's trouble; any other error as it is. */
export function orStorageTrouble(error: GatewayError, ports: StorageTroublePorts): GatewayError {
  if (error.code !== 'internal_error' || !ports.isStorageTrouble(error.cause)) return error;
  return new GatewayError('ledger_unavailable', { message: MESSAGE, retryAfterSeconds: RETRY_SECONDS, cause: error });
}
