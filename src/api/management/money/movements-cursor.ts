/** The cursor of a page of movements, as text. */
import { GatewayError } from '../../../core/errors.ts';
import { type CallId, entryId, parseCallId } from '../../../core/ids.ts';
import type { MovementsCursor } from '../../../stats/ports.ts';

/** `<call>.<entry>`, either of them empty. */
export function writeMovementsCursor({ call, entry }: MovementsCursor): string {
  return `${call ?? ''}.${entry ?? ''}`;
}

/** Throws `GatewayError` `invalid_value`. */
export function readMovementsCursor(text: string): MovementsCursor {
  const match = /^([0-7][0-9a-hjkmnp-tv-z]{25})?\.([1-9]\d{0,15})?$/.exec(text);
  if (match === null)
    throw new GatewayError('invalid_value', {
      message: 'cursor is invalid; use the one from the previous page.',
      param: 'cursor',
    });
  const call = match[1] === undefined ? null : (parseCallId(match[1]) as CallId);
  return { call, entry: match[2] === undefined ? null : entryId(Number(match[2])) };
}
