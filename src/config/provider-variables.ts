/**
 * Providers that the environment enables: one variable each, with the vendor's usual name. A provider of the same name in the
 * file takes precedence; the variable may still supply what it lacks. A variable alone that needs another one, which is not set,
 * enables nothing. Further variables of a vendor, which other programs use too
 * (`AWS_REGION`), only supply what an entry lacks.
 */

import { isObject } from '../core/json-object.ts';
import { providerKinds } from '../providers/index.ts';
import { completeOrigin } from '../providers/origin.ts';
import type { ProviderDeclaration } from '../providers/provider.ts';
import type { OptionName } from '../providers/provider-options.ts';
import type { Environment, Variable } from './environment.ts';
import type { Problem } from './problem.ts';

export interface RawProviders {
  /** Entries as the schema reads them, the file's first. */
  readonly entries: readonly unknown[];
  /** The source of entry `i`. */
  readonly sources: readonly ('file' | 'environment')[];
  /** Fields that a variable supplied. */
  readonly brought: readonly { readonly index: number; readonly field: string; readonly source: string }[];
  /** Variables that would enable a provider, were another one not missing. */
  readonly incomplete: readonly Problem[];
}

export function addProvidersOfEnvironment(inFile: readonly unknown[], environment: Environment): RawProviders {
  const entries: unknown[] = [...inFile];
  const sources: ('file' | 'environment')[] = inFile.map(() => 'file');
  const brought: { index: number; field: string; source: string }[] = [];
  const incomplete: Problem[] = [];
  for (const kind of Object.values<ProviderDeclaration>(providerKinds)) {
    const inFileAt = inFile.findIndex((entry) => isObject(entry) && entry['name'] === kind.name);
    const enabling = readVariable(kind, environment);
    if (inFileAt === -1 && enabling === null) continue;
    const index = inFileAt === -1 ? entries.length : inFileAt;
    // Decided on the entry as it is in the file, and one address for all: what follows does not depend on what was supplied.
    const original = (entries[index] ?? { name: kind.name, kind: kind.name }) as Record<string, unknown>;
    let entry = original;
    const ofEntry: typeof brought = [];
    for (const found of [...(enabling === null ? [] : [enabling]), ...furtherVariables(kind, original, environment)]) {
      if (!maySupply(original, found.field) || !isAbsent(entry, found.field)) continue;
      ofEntry.push({ index, field: found.field, source: found.source });
      entry = { ...entry, [found.field]: found.value };
    }
    if (inFileAt === -1) {
      // Another program's key must not keep this one from starting, nor a command from adding the provider.
      const missing = missingVariable(kind, entry);
      if (missing !== null) {
        const message = `enables no provider, because ${missing} is not set`;
        incomplete.push({ where: enabling?.source ?? '', message });
        continue;
      }
      sources.push('environment');
    }
    brought.push(...ofEntry);
    entries[index] = entry;
  }
  return { entries, sources, brought, incomplete };
}

/** The variable with what an entry lacks to be called at all; null if nothing, or nothing that a variable could supply. */
function missingVariable(kind: ProviderDeclaration, entry: Record<string, unknown>): string | null {
  if (kind.origin === null && isAbsent(entry, 'origin')) return kind.environmentOrigin ?? null;
  const lacking = Object.entries(kind.options).find(([name, facts]) => facts.isRequired && isAbsent(entry, name));
  return lacking?.[1].environment[0] ?? null;
}

interface Found {
  readonly field: 'credential' | 'origin' | OptionName;
  readonly value: string;
  readonly source: string;
}

function readVariable(kind: ProviderDeclaration, environment: Environment): Found | null {
  if (kind.environmentVariable === null) return null;
  if (kind.environmentGives === 'origin') {
    const address = environment.read(kind.environmentVariable);
    const usual = kind.origin ?? address?.value ?? '';
    return address && { field: 'origin', value: completeOrigin(address.value, usual), source: address.source };
  }
  const credential = environment.readSecret(kind.environmentVariable);
  return credential && { field: 'credential', value: credential.value.trim(), source: credential.source };
}

/** What else the vendor's usual variables say. */
function furtherVariables(
  kind: ProviderDeclaration,
  entry: Record<string, unknown>,
  environment: Environment,
): Found[] {
  const found: Found[] = [];
  const address = kind.environmentOrigin === undefined ? null : environment.read(kind.environmentOrigin);
  if (address !== null) found.push({ field: 'origin', value: address.value.trim(), source: address.source });
  let source = '';
  const note = (variable: Variable | null) => {
    source ||= variable?.source ?? '';
    return variable?.value.trim() ?? null;
  };
  const credential =
    maySupply(entry, 'credential') &&
    kind.credentialOfEnvironment?.({
      read: (name) => note(environment.readSecret(name)),
      readFile: (name) => note(environment.readFileOf(name)),
    });
  if (typeof credential === 'string') found.push({ field: 'credential', value: credential, source });
  for (const [field, { environment: names }] of Object.entries(kind.options)) {
    const variable = names.map((name) => environment.read(name)).find((each) => each !== null);
    if (variable) found.push({ field: field as OptionName, value: variable.value.trim(), source: variable.source });
  }
  return found;
}

/** A credential from the environment is for the vendor: it is not sent to another address in the file. */
function maySupply(entry: Record<string, unknown>, field: Found['field']): boolean {
  if (field !== 'credential') return isAbsent(entry, field);
  return [field, 'credentials', 'origin', 'credentialFrom'].every((name) => isAbsent(entry, name));
}

function isAbsent(entry: Record<string, unknown>, name: string): boolean {
  return entry[name] === undefined || entry[name] === null;
}
