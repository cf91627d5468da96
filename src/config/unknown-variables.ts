/**
 * Variables with our prefix that nothing reads: a typo that would otherwise go unnoticed. A value is never repeated, since it
 * may be a secret.
 */
import { providerKinds } from '../providers/index.ts';
import type { ProviderDeclaration } from '../providers/provider.ts';
import { nearest } from './nearest.ts';
import { options } from './options.ts';
import type { Problem } from './problem.ts';

const PREFIX = 'TURNPIKE_';
const FILE = '_FILE';

/** Not read by the configuration but by the launcher, the README's clients, or tests. */
const OTHERS = /^TURNPIKE_(?:CONFIG|LAUNCHER_FD|KEY|COOKIE|RECORDINGS|(?:PROVE|WORK)_[A-Z_]+)$/;

/**
 * Variables that Kubernetes sets for a service whose name begins with `turnpike`:
 * https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
 */
function isOfService(name: string, value: string): boolean {
  if (name.includes('_SERVICE_HOST') || name.includes('_SERVICE_PORT')) return true;
  if (name.endsWith('_PORT')) return value.includes('://');
  return /^\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/.test(name.split('_PORT_').slice(1).join('_PORT_'));
}

/** Variables that nothing reads, each with the name that was probably meant. */
export function unknownVariables(environment: Readonly<Record<string, string | undefined>>): readonly Problem[] {
  return Object.entries(environment).flatMap(([name, value]): Problem[] => {
    if (!name.startsWith(PREFIX) || value === undefined || value === '' || isKnown(name, value)) return [];
    const meant = variableMeant(name);
    const hint = meant === null ? '' : `; did you mean ${meant}?`;
    return [{ where: `environment ${name}`, message: `is not a Turnpike variable and is ignored${hint}` }];
  });
}

/** Every variable of an option → whether its value may come from a file. */
const variables = new Map(options.map(({ environment, secret }) => [environment, secret]));

function isKnown(name: string, value: string): boolean {
  if (variables.has(name) || OTHERS.test(name) || isOfService(name, value)) return true;
  return name.endsWith(FILE) && variables.get(name.slice(0, -FILE.length)) === true;
}

/** A name without our prefix → the variable; also the default name from the option's path, if the variable has another one. */
const meanings = new Map([
  ...Object.values<ProviderDeclaration>(providerKinds).flatMap(({ environmentVariable }): [string, string][] =>
    environmentVariable === null ? [] : [[environmentVariable, environmentVariable]],
  ),
  ...options.flatMap(({ environment, usualEnvironment }): [string, string][] => [
    [bare(usualEnvironment), environment],
    [bare(environment), environment],
  ]),
  ['CONFIG', 'TURNPIKE_CONFIG'],
]);

function variableMeant(name: string): string | null {
  const text = bare(name);
  const found = nearest(text, [...meanings.keys()]);
  if (found !== null) return meanings.get(found) ?? null;
  if (!text.endsWith(FILE)) return null;
  const base = variableMeant(text.slice(0, -FILE.length));
  return base === null ? null : base + FILE;
}

function bare(name: string): string {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
}
