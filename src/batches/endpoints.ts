/** The paths that lines of a batch may be sent to: of every operation that is paid for, takes JSON and answers with JSON. */
import { callerDialects, isRelayDialect } from '../dialects/index.ts';
import { type CallerPath, namesModel } from '../dialects/interface/caller-path.ts';
import { operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';

export interface BatchEndpoint {
  /** The documented path. */
  readonly path: string;
}

const byPath = new Map<string, BatchEndpoint>();
const documented: string[] = [];

for (const dialect of Object.values(callerDialects)) {
  for (const path of dialect.paths) {
    if (!isForBatches(operations[path.operation], path)) continue;
    const endpoint = { path: path.pattern };
    documented.push(asInLines(path));
    for (const each of [path.pattern, ...path.aliases]) byPath.set(each, endpoint);
  }

  function isForBatches(operation: Operation, path: CallerPath): boolean {
    if (!operation.isPaid || path.streams === true || namesModel(path)) return false;
    if (operation.form?.(dialect)?.orJson === false) return false;
    // Sound is no JSON.
    const part = isRelayDialect(dialect) ? (operation.streaming?.(dialect) ?? null) : null;
    return part?.framings?.includes('bytes') !== true;
  }
}

/** As lines name it, which is OpenAI's own path where it has one. */
function asInLines({ pattern, aliases }: CallerPath): string {
  return aliases.find((alias) => pattern === `/api${alias}`) ?? pattern;
}

/** As lines and documents name them: in messages. */
export const batchEndpoints: readonly string[] = documented;

/** Null for any other path. Two paths that mean the same have the same endpoint. */
export function findEndpoint(path: string): BatchEndpoint | null {
  return byPath.get(path) ?? null;
}
