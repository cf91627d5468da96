/** Two questions about graphs whose nodes are numbers from 0 on. */

/** All nodes that the starts lead to, themselves included. */
export function reachable(starts: Iterable<number>, successors: (node: number) => Iterable<number>): Set<number> {
  const seen = new Set(starts);
  // A set that grows while it is walked through is walked to its end.
  for (const node of seen) for (const next of successors(node)) seen.add(next);
  return seen;
}

/** Strongly connected components that hold a cycle (Tarjan, without recursion). */
export function cycles(nodes: Iterable<number>, successors: (node: number) => readonly number[]): Set<number>[] {
  const order = new Map<number, number>();
  const low = new Map<number, number>();
  const open: number[] = [];
  const isOpen = new Set<number>();
  const found: Set<number>[] = [];
  for (const root of nodes) {
    if (order.has(root)) continue;
    const trail: { readonly node: number; readonly nexts: readonly number[]; at: number }[] = [];
    const enter = (node: number): void => {
      order.set(node, order.size);
      low.set(node, order.size - 1);
      open.push(node);
      isOpen.add(node);
      trail.push({ node, nexts: successors(node), at: 0 });
    };
    enter(root);
    for (let top = trail.at(-1); top !== undefined; top = trail.at(-1)) {
      const next = top.nexts[top.at];
      if (next === undefined) {
        trail.pop();
        const above = trail.at(-1);
        if (above !== undefined) lower(low, above.node, low.get(top.node) as number);
        if (low.get(top.node) === order.get(top.node)) close(top, open, isOpen, found);
        continue;
      }
      top.at += 1;
      if (!order.has(next)) enter(next);
      else if (isOpen.has(next)) lower(low, top.node, order.get(next) as number);
    }
  }
  return found;
}

function lower(low: Map<number, number>, node: number, to: number): void {
  if (to < (low.get(node) as number)) low.set(node, to);
}

function close(
  { node, nexts }: { readonly node: number; readonly nexts: readonly number[] },
  open: number[],
  isOpen: Set<number>,
  found: Set<number>[],
): void {
  const members = open.splice(open.lastIndexOf(node));
  for (const member of members) isOpen.delete(member);
  if (members.length > 1 || nexts.includes(node)) found.push(new Set(members));
}
