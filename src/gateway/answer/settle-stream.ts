/** The end of a streamed call: settled first, then sent. */
import type { GatewayError } from '../../core/errors.ts';
import type { Ending } from '../../core/settlement.ts';
import { describeError } from '../end/describe-error.ts';
import { finish, settleFailure, unsettle } from '../end/settle.ts';
import type { Admitted } from '../phases.ts';
import type { CallerStream } from './caller-stream.ts';
import type { RelayPorts } from './relayed-answer.ts';

/** `conclude` sends the caller the last bytes. Resolves after that; never rejects. */
export function settleStream(
  ports: RelayPorts,
  call: Admitted,
  stream: CallerStream,
  ending: Ending,
  conclude: () => void | Promise<void>,
): Promise<void> {
  const settled = finish(ports, call, ending);
  const { waiting } = stream;
  // A durable settlement makes the hold unnecessary, even if the hold was refused: what is charged is delivered.
  const durable = waiting === null ? settled : Promise.allSettled([waiting, settled]).then(() => settled);
  return durable
    .then(conclude, (cause) => {
      unsettle(ports, call, cause);
      const error = settleFailure(cause);
      endsWithError(ports, call, error.code);
      stream.endWithError(error);
    })
    .catch((error) => {
      // A broken connection shows the caller that the end can no longer be written.
      logFailure(ports, call, error);
      call.response.destroy();
    });
}

/** The stream ends with an error of this code. */
export function endsWithError(ports: RelayPorts, call: Admitted, code: GatewayError['code']): void {
  call.errorCode = code;
  ports.metrics.errorAnswered(call.dialect.name, code);
}

export function logFailure({ log }: RelayPorts, call: Admitted, cause: unknown): void {
  log.error({ request: call.requestId, cause: describeError(cause) }, 'failed');
}
