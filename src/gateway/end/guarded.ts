/** For steps after which others must follow, whatever happens. */
import type { Log } from '../../telemetry/log.ts';
import type { Call } from '../call.ts';
import { describeError } from './describe-error.ts';

export interface GuardPorts {
  readonly log: Pick<Log, 'error'>;
}

/** Runs a step of a call's end. If it throws, that is logged, and the next step can run. */
export function guarded<Ports extends GuardPorts, Known extends Call>(
  ports: Ports,
  call: Known,
  step: (ports: Ports, call: Known) => void,
): void {
  try {
    step(ports, call);
  } catch (error) {
    logFailed(ports, call, error);
  }
}

export function logFailed({ log }: GuardPorts, call: Call, error: unknown): void {
  log.error({ request: call.requestId, cause: describeError(error) }, 'failed');
}
