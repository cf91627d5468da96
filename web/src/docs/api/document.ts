/** What the page reads of an OpenAPI 3.1 document. https://spec.openapis.org/oas/v3.1.1.html */
import { basePath } from '../../navigation/base-path.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

export type Content = Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;

export interface OperationBody {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

export interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly servers?: readonly { readonly url: string }[];
  readonly tags?: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationBody>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

export interface Operation extends OperationBody {
  readonly method: string;
  readonly path: string;
}

export interface Group {
  readonly tag: string;
  readonly operations: readonly Operation[];
}

export async function fetchDocument(signal: AbortSignal): Promise<Document> {
  const response = await fetch(`${basePath}/openapi.json`, { signal, headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return (await response.json()) as Document;
}

/** By tag, what programs call first; within a tag in the order of the document. */
export function groupsOf(document: Document): readonly Group[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, body]): Operation => ({ ...body, method: method.toUpperCase(), path })),
  );
  const tags = [...FIRST, ...(document.tags ?? []).map(({ name }) => name), 'other'];
  return [...new Set(tags)]
    .map((tag) => ({ tag, operations: operations.filter((operation) => (operation.tags?.[0] ?? 'other') === tag) }))
    .filter((group) => group.operations.length > 0);
}

const FIRST = ['calls to models', 'models'];

/** Those that contain every word of a search: in path, name, texts, and names, descriptions and values of parameters. */
export function searched(groups: readonly Group[], search: string): readonly Group[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return groups;
  return groups
    .map(({ tag, operations }) => ({
      tag,
      operations: operations.filter((operation) => {
        const text = textOf(operation);
        return words.every((word) => text.includes(word));
      }),
    }))
    .filter((group) => group.operations.length > 0);
}

function textOf({ method, path, operationId, summary, tags, parameters }: Operation): string {
  const ofParameters = (parameters ?? []).flatMap(({ name, description, schema }) => [
    name,
    description,
    schema?.description,
    ...(schema?.enum ?? []),
  ]);
  return [method, path, operationId, summary, ...(tags ?? []), ...ofParameters].join(' ').toLowerCase();
}

/** The schema of a reference, and its name. */
export function resolve(schema: Schema, document: Document): { readonly schema: Schema; readonly name: string | null } {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  if (name === undefined) return { schema, name: null };
  return { schema: document.components?.schemas?.[name] ?? {}, name };
}

/** The server for calls: the one in the document, else the one it was loaded from. */
export function baseOf(document: Document): string {
  const url = document.servers?.[0]?.url ?? '/';
  return (url.startsWith('http') ? url : `${window.location.origin}${basePath}`).replace(/(?<!\/)\/+$/, '');
}

/** Of a request; null for a route that takes no body. */
/** The type of a request that is a form with a file. */
export const FORM = 'multipart/form-data';

export function bodyType({ requestBody }: Operation): string | null {
  return Object.keys(requestBody?.content ?? {})[0] ?? null;
}
