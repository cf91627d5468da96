/**
 * An exception inside a stream. It has no status, so it gets the one that belongs to its name, and is then read like any refusal.
 *
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStream.html (response elements)
 */
import { errorTable, GatewayError } from '../../../core/errors.ts';
import { DAMAGED, EXCEPTION } from '../../../wire/frames/event-stream-message.ts';
import type { Frame } from '../../../wire/frames/frame.ts';
import { troubleText } from '../../kit/errors/quotable-text.ts';
import { readError } from './read-error.ts';

/** `frame` is an exception. */
export function readAnswerError(frame: Frame): GatewayError {
  if (frame.event === DAMAGED) return new GatewayError('bad_gateway', { message: DAMAGED_MESSAGE });
  const name = capitalised(frame.event?.slice(EXCEPTION.length) ?? '');
  const status = STATUSES.get(name) ?? 500;
  const understood = readError(status, { 'x-amzn-errortype': name }, frame.data ?? NOTHING);
  const { code, message, relayable, namesOperator, quotable } = understood;
  const aboutTheRequest = (relayable || namesOperator) && errorTable[code].status < 500;
  // What may not be relayed is reported in our words.
  const text = aboutTheRequest ? message : troubleText(code, null, quotable);
  return new GatewayError(code, text === null ? {} : { message: text });
}

const DAMAGED_MESSAGE = 'The provider sent a damaged event stream.';
const NOTHING = Buffer.alloc(0);

/** Inside a stream, names begin with a small letter. */
function capitalised(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

const STATUSES: ReadonlyMap<string, number> = new Map([
  ['ValidationException', 400],
  ['AccessDeniedException', 403],
  ['ResourceNotFoundException', 404],
  ['ModelTimeoutException', 408],
  ['ModelErrorException', 424],
  ['ModelStreamErrorException', 424],
  ['ThrottlingException', 429],
  ['ServiceUnavailableException', 503],
]);
