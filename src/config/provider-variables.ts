/**
 * Providers that the environment enables: one variable each, with the vendor's usual name. A provider of the same name in the
 * file takes precedence; the variable may still supply what it lacks.
 */

import { isObject } from '../core/json-object.ts';
import { providerKinds } from '../providers/index.ts';
import { completeOrigin } from '../providers/origin.ts';
import type { ProviderDeclaration } from '../providers/provider.ts';
import type { Environment } from './environment.ts';

export interface RawProviders {
  /** Entries as the schema reads them, the file's first. */
  readonly entries: readonly unknown[];
  /** The source of entry `i`. */
  readonly sources: readonly ('file' | 'environment')[];
  /** Fields that a variable supplied. */
  readonly brought: readonly { readonly index: number; readonly field: string; readonly source: string }[];
}

export function addProvidersOfEnvironment(inFile: readonly unknown[], environment: Environment): RawProviders {
  const entries: unknown[] = [...inFile];
  const sources: ('file' | 'environment')[] = inFile.map(() => 'file');
  const brought: { index: number; field: string; source: string }[] = [];
  for (const kind of Object.values<ProviderDeclaration>(providerKinds)) {
    const found = readVariable(kind, environment);
    if (found === null) continue;
    const index = inFile.findIndex((entry) => isObject(entry) && entry['name'] === kind.name);
    if (index === -1) {
      brought.push({ index: entries.length, field: found.field, source: found.source });
      entries.push({ name: kind.name, kind: kind.name, [found.field]: found.value });
      sources.push('environment');
    } else if (maySupply(inFile[index] as Record<string, unknown>, found.field)) {
      brought.push({ index, field: found.field, source: found.source });
      entries[index] = { ...(inFile[index] as Record<string, unknown>), [found.field]: found.value };
    }
  }
  return { entries, sources, brought };
}

interface Found {
  readonly field: 'credential' | 'origin';
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

/** A credential from the environment is for the vendor: it is not sent to another address in the file. */
function maySupply(entry: Record<string, unknown>, field: Found['field']): boolean {
  const isAbsent = (name: string) => entry[name] === undefined || entry[name] === null;
  return isAbsent(field) && (field === 'origin' || isAbsent('origin'));
}
