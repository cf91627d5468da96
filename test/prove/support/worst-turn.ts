import { once } from 'node:events';
import type { TestGateway } from '../../support/start-gateway.ts';

/** How long a turn of a gateway took at most since this was last asked, in ms of its own CPU time. It runs with `loop-watch.ts`. */
export async function worstTurn({ process: child }: Pick<TestGateway, 'process'>): Promise<number> {
  child.send({ ask: 'worst turn' });
  const [message] = await once(child, 'message');
  return (message as { readonly worstMs: number }).worstMs;
}
