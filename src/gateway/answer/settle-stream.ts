/** The end of a streamed call: settled first, then given. */
import { GatewayError } from '../../core/errors.ts';
import type { Ending } from '../../core/settlement.ts';
import type { Call } from '../call.ts';
import { describe } from '../end/reply-error.ts';
import { finish, unsettle } from '../end/settle.ts';
import type { Gateway } from '../gateway.ts';
import type { CallerStream } from './caller-stream.ts';

/** `conclude` gives the caller the last bytes. Resolves when it has: it never rejects. */
export function settleStream(
  gateway: Gateway,
  call: Call,
  stream: CallerStream,
  ending: Ending,
  conclude: () => void | Promise<void>,
): Promise<void> {
  const settled = finish(gateway, call, ending);
  const { waiting } = stream;
  // The end stands for the hold as soon as it is durable, also where the hold was refused: what is charged is given.
  const durable = waiting === null ? settled : Promise.allSettled([waiting, settled]).then(() => settled);
  return durable
    .then(conclude, (cause) => {
      unsettle(gateway, call);
      endsWithError(gateway, call, 'ledger_unavailable');
      stream.endWithError(new GatewayError('ledger_unavailable', { cause }));
    })
    .catch((error) => {
      // A broken connection shows the caller what can no longer be written.
      logFailure(gateway, call, error);
      call.response.destroy();
    });
}

/** The stream ends with an error of this code. */
export function endsWithError(gateway: Gateway, call: Call, code: GatewayError['code']): void {
  call.errorCode = code;
  gateway.metrics.errorAnswered(call.dialect.name, code);
}

export function logFailure({ log }: Gateway, call: Call, cause: unknown): void {
  log.error({ request: call.requestId, cause: describe(cause) }, 'failed');
}
