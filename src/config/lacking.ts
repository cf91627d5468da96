/** Which options may be left out if a variable is not set; see `ConfigRequest.mayLack`. */
import type { MayLack } from './config.ts';
import { options, type Path } from './options.ts';

/** Options that determine how data is read and written: without them a command would behave differently from the server. */
const GUARDS_DATA = new Set<unknown>([
  ...['dataFolder', 'pepper', 'sealingKey', 'bootstrapKey', 'durability', 'billing', 'timeouts'],
  ...['database', 'nodes'],
  ...['limits', 'records', 'idempotency', 'capture'],
]);

export function isLackable([first]: Path, mayLack: MayLack | undefined): boolean {
  if (mayLack === 'all') return first !== 'dataFolder';
  return mayLack === 'serving' && !GUARDS_DATA.has(first);
}

/** The option that a `…_FILE` variable sets. */
export function pathOfFile(where: string): Path {
  return (
    options.find(({ environment, environmentToo }) =>
      [environment, environmentToo].some((name) => where === `environment ${name}_FILE`),
    )?.path ?? []
  );
}

/** Placeholder for an entry of a list, so that the others keep their positions until all are read. */
export const LEFT_OUT = Symbol('left out');

/** A provider is left out as a whole: a partial one could be called at another address, or without a credential. */
export function leaveOut(tree: Record<string, unknown>, path: Path): void {
  const [first, index] = path;
  const list = tree['providers'];
  if (first === 'providers' && Array.isArray(list) && typeof index === 'number') {
    list[index] = LEFT_OUT;
    return;
  }
  // A list is left out as a whole: a partial one means something else.
  const inList = path.findIndex((part) => typeof part === 'number');
  const names = (inList === -1 ? path : path.slice(0, inList)) as readonly string[];
  let node: Record<string, unknown> | undefined = tree;
  for (const part of names.slice(0, -1)) node = node?.[part] as Record<string, unknown> | undefined;
  delete node?.[names.at(-1) as string];
}
