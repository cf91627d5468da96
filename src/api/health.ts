/** Whether this installation is up, for a command that asks over the control socket. */
import type { ControlServices } from './services.ts';

export function readHealth(services: Pick<ControlServices, 'version' | 'clock' | 'status'>) {
  const { ready, reasons, address, inFlight } = services.status();
  return {
    data: {
      version: services.version,
      ready,
      reasons,
      address,
      in_flight: inFlight,
      process_id: process.pid,
      now: new Date(services.clock.now()).toISOString(),
    },
  };
}
