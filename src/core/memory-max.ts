import { totalmem } from 'node:os';

/** The memory of the container (https://nodejs.org/api/process.html#processconstrainedmemory), otherwise that of the machine; bytes. */
export function memoryMax(): number {
  const constrained = process.constrainedMemory();
  const machine = totalmem();
  return constrained > 0 && constrained < machine ? constrained : machine;
}
