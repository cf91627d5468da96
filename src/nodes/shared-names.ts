/** Names that more than one node has: in a list, in the log and on the page of a call nobody can tell them apart. */
import { type ShownState, shownState } from './shown-state.ts';

type Named = Parameters<typeof shownState>[0] & { readonly name: string };

/** Of the nodes that are there: one that was killed may be this machine's run of before, with another data folder. */
const THERE: ReadonlySet<ShownState> = new Set(['live', 'draining']);

export function sharedNames(nodes: readonly Named[]): ReadonlySet<string> {
  const once = new Set<string>();
  const shared = new Set<string>();
  for (const node of nodes.filter((each) => THERE.has(shownState(each)))) {
    if (once.has(node.name)) shared.add(node.name);
    once.add(node.name);
  }
  return shared;
}

/** What an operator does about it. */
export const NAME_ADVICE = 'Give each a name of its own: nodes.name (TURNPIKE_NODES_NAME).';
