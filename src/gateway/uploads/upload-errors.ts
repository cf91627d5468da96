/** Why a form with a file is refused while it arrives. */
import { GatewayError } from '../../core/errors.ts';

export function tooSlow(pace: string): GatewayError {
  return new GatewayError('request_timeout', { message: `The request body did not arrive ${pace}.` });
}

export function tooLarge(bytesMax: number): GatewayError {
  return new GatewayError('request_too_large', {
    message: `The form is larger than the limit of ${bytesMax} bytes (limits.uploadBytesMax). Send a smaller or compressed file, or ask the operator to raise the limit.`,
    facts: { limit: 'limits.uploadBytesMax' },
  });
}

/** There is no more memory for a file whose model is not known; `thrown` says why. */
export function unknownModel(thrown: unknown, held: number): unknown {
  if (!(thrown instanceof GatewayError)) return thrown;
  return new GatewayError(thrown.code, {
    message: `The gateway cannot hold more of this file than ${held} bytes while it waits for the name of the model: send the field "model" before the field "file".`,
    ...(thrown.retryAfterSeconds !== null && { retryAfterSeconds: thrown.retryAfterSeconds }),
  });
}

export function notForm(): GatewayError {
  return new GatewayError('unsupported_media_type', {
    message: 'Send the body uncompressed, with content-type: multipart/form-data and its boundary.',
  });
}
