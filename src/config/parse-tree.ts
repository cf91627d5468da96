import type * as z from 'zod';
import type { Steps } from '../core/turns/steps.ts';
import type { Parsed } from './config.ts';
import { providerSchema } from './provider-schema.ts';
import { configSchema } from './schema.ts';

interface Faulty {
  readonly issues: readonly z.core.$ZodIssue[];
}

/** What the schema says of the options, in its order, with a step for each provider: files with many models have them there. */
export function* parseTree(tree: Readonly<Record<string, unknown>>): Steps<Parsed | Faulty> {
  const { providers: entries } = tree;
  // Anything but a list is for the schema to refuse.
  const rest = configSchema.safeParse(Array.isArray(entries) ? { ...tree, providers: [] } : tree, {
    reportInput: true,
  });
  const providers: Parsed['providers'] = [];
  const ofProviders: z.core.$ZodIssue[] = [];
  for (const [index, entry] of Array.isArray(entries) ? entries.entries() : []) {
    const parsed = providerSchema.safeParse(entry, { reportInput: true });
    if (parsed.success) providers.push(parsed.data);
    else
      for (const issue of parsed.error.issues)
        ofProviders.push({ ...issue, path: ['providers', index, ...issue.path] });
    yield;
  }
  if (rest.success && ofProviders.length === 0) return Array.isArray(entries) ? { ...rest.data, providers } : rest.data;
  const issues = [...(rest.success ? [] : rest.error.issues), ...ofProviders];
  return { issues: issues.toSorted((one, other) => placeOf(one) - placeOf(other)) };
}

const ORDER = new Map(Object.keys(configSchema.shape).map((name, index) => [name, index]));

/** Unknown options come after all that are known. */
function placeOf({ path: [first] }: z.core.$ZodIssue): number {
  return ORDER.get(first as string) ?? ORDER.size;
}
