/** The scan's refusals: 400s with the position in the body, in bytes; they never quote a value. */
import { GatewayError } from '../core/errors.ts';

export function unexpected(at: number, expected: string): GatewayError {
  return new GatewayError('invalid_json', {
    message: `The request body is not valid JSON: expected ${expected} at byte ${at}.`,
  });
}

export function notAnObject(at: number, byteOrderMark: boolean): GatewayError {
  const message = byteOrderMark
    ? 'The request body is not valid JSON: it begins with a byte order mark (byte 0); send it without.'
    : `The request body must be a JSON object; expected '{' at byte ${at}.`;
  return new GatewayError('invalid_json', { message });
}

export function endsEarly(filled: number, start: number): GatewayError {
  const message =
    filled === start
      ? 'The request body is empty; send a JSON object.'
      : `The request body is not valid JSON: it ends at byte ${filled} before it is complete.`;
  return new GatewayError('invalid_json', { message });
}

export function tooDeep(depthMax: number): GatewayError {
  return new GatewayError('json_too_deep', {
    message: `The request body is nested too deeply: more than ${depthMax} levels.`,
  });
}

export function duplicate(name: string): GatewayError {
  return new GatewayError('duplicate_key', {
    message: `The request body names the field ${JSON.stringify(name.slice(0, 100))} twice.`,
    param: name.slice(0, 100),
  });
}

export function tooMuch(what: string): GatewayError {
  return new GatewayError('invalid_value', { message: `The request body has ${what}.` });
}

export function notUtf8(): GatewayError {
  return new GatewayError('invalid_utf8');
}
