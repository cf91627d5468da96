/**
 * Reads `deploy/compose.yaml` as `docker compose` does: merged keys, variables with their defaults, the forms of commands and
 * health checks. What the file may contain is declared here; anything else is refused, so a misspelled key is found without a daemon.
 */
import { parse } from 'yaml';
import { z } from 'zod';

const duration = z.string().regex(/^\d{1,6}(ms|s|m)$/);

const healthCheck = z.strictObject({
  test: z.tuple([z.literal('CMD')], z.string()),
  interval: duration.default('30s'),
  timeout: duration.default('30s'),
  start_period: duration.default('0s'),
  retries: z.number().int().min(1).default(3),
});

const service = z.strictObject({
  image: z.string(),
  build: z.strictObject({ context: z.string(), dockerfile: z.string() }).optional(),
  restart: z.enum(['no', 'always', 'on-failure', 'unless-stopped']).default('no'),
  stop_grace_period: duration.default('10s'),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string().regex(/^[\d.]+:\d+:\d+$/)).default([]),
  volumes: z.array(z.string().regex(/^[\w./-]+:\/[\w./-]+(:ro)?$/)).default([]),
  depends_on: z
    .record(z.string(), z.strictObject({ condition: z.enum(['service_healthy', 'service_started']) }))
    .default({}),
  healthcheck: healthCheck,
});

const file = z.strictObject({
  name: z.string(),
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.null()).default({}),
});

export type ComposeService = z.infer<typeof service>;
export type ComposeFile = z.infer<typeof file>;

export interface ReadCompose {
  readonly compose: ComposeFile;
  /** The variables that the file uses, with whether each must be set. */
  readonly variables: ReadonlyMap<string, { readonly required: boolean }>;
}

const VARIABLE = /\$\{(\w+)(?:(:-|:\?)([^}]*))?\}/g;

/** Throws an error that names what is wrong: an unknown key, a variable without a value, a service or a volume that does not exist. */
export function readCompose(text: string, environment: Readonly<Record<string, string>>): ReadCompose {
  const variables = new Map<string, { required: boolean }>();
  const filled = (scalar: string) =>
    scalar.replaceAll(VARIABLE, (_whole, name: string, kind: string | undefined, rest = '') => {
      const value = environment[name] ?? '';
      variables.set(name, { required: kind === ':?' || variables.get(name)?.required === true });
      if (value !== '' || kind === undefined) return value;
      if (kind === ':-') return rest;
      throw new Error(`${name} is not set: ${rest}`);
    });
  const parsed = eachText(parse(text, { merge: true }), filled) as Record<string, unknown>;
  const known = Object.fromEntries(Object.entries(parsed).filter(([name]) => !name.startsWith('x-')));
  const compose = file.parse(known);
  checkNames(compose);
  return { compose, variables };
}

/** The same value with every text replaced, but not the names of fields. */
function eachText(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((each) => eachText(each, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, eachText(each, replace)]));
}

function checkNames({ services, volumes }: ComposeFile): void {
  for (const [name, { depends_on: needs, volumes: mounts }] of Object.entries(services)) {
    for (const needed of Object.keys(needs))
      if (!(needed in services)) throw new Error(`${name} depends on ${needed}, which is not a service`);
    for (const mount of mounts) {
      const [source = ''] = mount.split(':');
      if (!source.startsWith('.') && !(source in volumes))
        throw new Error(`${name} mounts ${source}, which is not a volume`);
    }
  }
}

/** The services in an order in which each comes after those it depends on. Throws if they depend on each other. */
export function startOrder({ services }: ComposeFile): readonly string[] {
  const order: string[] = [];
  const visit = (name: string, path: readonly string[]): void => {
    if (order.includes(name)) return;
    if (path.includes(name)) throw new Error(`${[...path, name].join(' → ')} depend on each other`);
    for (const needed of Object.keys(services[name]?.depends_on ?? {})) visit(needed, [...path, name]);
    order.push(name);
  };
  for (const name of Object.keys(services)) visit(name, []);
  return order;
}

/** Milliseconds. */
export function milliseconds(text: string): number {
  const [, figure = '', unit = ''] = /^(\d+)(ms|s|m)$/.exec(text) ?? [];
  return Number(figure) * ({ ms: 1, s: 1_000, m: 60_000 }[unit] ?? Number.NaN);
}
