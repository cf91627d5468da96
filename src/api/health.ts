/** Whether this installation is up, for a command that asks over the control socket. */
import type { ControlServices } from './services.ts';

export function readHealth(services: Pick<ControlServices, 'version' | 'clock' | 'status'>) {
  const { reasons, address, inFlight, memory, configSource } = services.status();
  return {
    data: {
      version: services.version,
      ready: reasons.length === 0,
      reasons,
      address,
      in_flight: inFlight,
      body_memory: { used_bytes: memory.used, limit_bytes: memory.bytesMax },
      configuration: configSource,
      process_id: process.pid,
      now: new Date(services.clock.now()).toISOString(),
    },
  };
}
