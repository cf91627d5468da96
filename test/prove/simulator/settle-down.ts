/** Lets a node's promises settle. */
import type { SimulatedNode } from './node.ts';

/** Longer than the longest chain of promises in the bank. */
const TURNS = 12;

export async function takeTurns(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await null;
}

/** Writes everything that waits, and what follows from it, until nothing is pending. */
export async function settleDown(node: SimulatedNode): Promise<void> {
  await takeTurns();
  while (node.disk.waiting > 0) {
    await node.disk.flush();
    await takeTurns();
  }
}
