/** How much this process has to do: how late its event loop is, and how much of its memory it uses. */
import { totalmem } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

export interface MemoryFigures {
  /** V8's heap, and what it may grow to (`--max-old-space-size`); bytes. */
  readonly heap: number;
  readonly heapMax: number;
  /** Resident memory, and that of the machine or container; bytes. */
  readonly resident: number;
  readonly residentMax: number;
}

/** The part that is used of what is nearer to its limit, 0 to 1. */
export function memoryUse({ heap, heapMax, resident, residentMax }: MemoryFigures): number {
  return Math.max(heap / heapMax, resident / residentMax);
}

/** The memory of the container (https://nodejs.org/api/process.html#processconstrainedmemory), otherwise that of the machine; bytes. */
export function memoryMax(): number {
  const constrained = process.constrainedMemory();
  const machine = totalmem();
  return constrained > 0 && constrained < machine ? constrained : machine;
}

/** Of this process, now. */
export function memoryFigures(): MemoryFigures {
  const { used_heap_size: heap, heap_size_limit: heapMax } = getHeapStatistics();
  return { heap, heapMax, resident: process.memoryUsage.rss(), residentMax: RESIDENT_MAX };
}

const RESIDENT_MAX = memoryMax();

export class ProcessLoad {
  readonly #turns: ReturnType<typeof monitorEventLoopDelay>;

  constructor() {
    // Sampled per turn, not on a timer: an idle event loop is not woken just to measure it.
    this.#turns = monitorEventLoopDelay({ samplePerIteration: true });
    this.#turns.enable();
  }

  /** The 99th percentile of the turns since the last time it was asked, ms. */
  loopDelayMs(): number {
    const ms = this.#turns.percentile(99) / 1e6;
    this.#turns.reset();
    return ms;
  }

  memoryUse(): number {
    return memoryUse(memoryFigures());
  }

  close(): void {
    this.#turns.disable();
  }
}
