/**
 * The contract's schemas as JSON Schema, for the OpenAPI document and the dashboard's types. Schemas that several routes return have a name
 * and are referenced.
 */
import * as z from 'zod';
import { accountOut } from './accounts.ts';
import { aliasOut } from './aliases.ts';
import { auditOut } from './audit.ts';
import { movementOut } from './balance.ts';
import { batchOut } from './batches.ts';
import { callOut } from './calls.ts';
import { limitsOut, permissionsOut } from './fields.ts';
import { healthOut } from './health.ts';
import { contract } from './index.ts';
import { keyOut } from './keys.ts';
import { projectOut } from './projects.ts';
import { catalogModelOut, providerOut } from './providers.ts';
import type { Declared } from './route.ts';
import { routePlanOut } from './route-plans.ts';
import { sumsOut } from './usage.ts';

/** The part of JSON Schema that the contract needs. https://json-schema.org/draft/2020-12 */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly const?: string | number | boolean | null;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly default?: unknown;
}

export interface ContractRoute {
  readonly noun: string;
  /** Its name in the contract: `listKeys`. */
  readonly name: string;
  readonly route: Declared;
}

/** Every route of the contract, in its order. */
export const contractRoutes: readonly ContractRoute[] = Object.entries(contract).flatMap(([noun, routes]) =>
  Object.entries(routes as Readonly<Record<string, Declared>>).map(([name, route]) => ({ noun, name, route })),
);

const named: Readonly<Record<string, z.ZodType>> = {
  Account: accountOut,
  AccountBatch: batchOut,
  Alias: aliasOut,
  AuditEntry: auditOut,
  Call: callOut,
  CatalogModel: catalogModelOut,
  Health: healthOut,
  Key: keyOut,
  Limits: limitsOut,
  Movement: movementOut,
  Permissions: permissionsOut,
  PlannedRoute: routePlanOut,
  Project: projectOut,
  Provider: providerOut,
  Sums: sumsOut,
};

/** `input` for requests, `output` for answers. References point to `#/components/schemas/<name>`, which `namedSchemas` fills. */
export function schemaOf(schema: z.ZodType, side: 'input' | 'output'): JsonSchema {
  const { $schema, $defs, ...rest } = convert(schema, side);
  return rest as JsonSchema;
}

/** The named schemas, by name. */
export function namedSchemas(): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(
    Object.entries(named).map(([name, schema]) => {
      // Wrapped in another schema, so that its own definition is among those that it references.
      const definitions = convert(z.array(schema), 'output').$defs as Readonly<Record<string, JsonSchema>>;
      return [name, definitions[name] ?? {}];
    }),
  );
}

function convert(schema: z.ZodType, side: 'input' | 'output') {
  for (const [name, one] of Object.entries(named)) {
    if (!z.globalRegistry.has(one)) one.register(z.globalRegistry, { id: name });
  }
  const converted = z.toJSONSchema(schema, { io: side, reused: 'inline', override: simplify });
  return JSON.parse(JSON.stringify(converted).replaceAll('"#/$defs/', '"#/components/schemas/')) as typeof converted;
}

/** Removes what zod adds about its own checks and readers do not need: the bounds of safe integers, the pattern of a date. */
function simplify({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void {
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
  if (jsonSchema['format'] === 'date-time') delete jsonSchema['pattern'];
}
