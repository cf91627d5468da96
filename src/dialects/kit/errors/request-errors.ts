/** The 400s for invalid values in a request. `param` is the path of the field, as its format writes it. */
import { GatewayError } from '../../../core/errors.ts';

/** Of the wrong type, or out of its range. */
export function invalid(param: string, message: string): GatewayError {
  return new GatewayError('invalid_value', { message, param });
}

/** Absent, or `null`. */
export function missing(param: string): GatewayError {
  return new GatewayError('missing_field', { message: `The field "${param}" is required.`, param });
}

/** Valid in its format, but not supported here. */
export function unsupported(param: string, message: string): GatewayError {
  return new GatewayError('unsupported_value', { message, param });
}
