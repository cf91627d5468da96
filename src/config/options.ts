/** Reads the schema as data: the list of scalar options, and what a place in the file may contain. */
import type * as z from 'zod';
import { configSchema, type OptionNotes } from './schema.ts';

/** Keys from the top; list positions are numbers. */
export type Path = readonly (string | number)[];

/** What a place accepts, as far as reading text is concerned. `decimal` is a number kept as its digits. */
export type Kind = 'string' | 'number' | 'boolean' | 'list' | 'object' | 'decimal' | 'null';

export interface Option {
  readonly path: readonly string[];
  readonly kinds: ReadonlySet<Kind>;
  readonly environment: string;
  /** The variable's default name, from its path. */
  readonly usualEnvironment: string;
  /** Another variable for the same option, which is read first; null if there is none. */
  readonly environmentToo: string | null;
  readonly flag: string | null;
  readonly secret: boolean;
  readonly description: string;
}

/** Every scalar option, in the order of the schema. Lists of objects, such as `providers`, are not among them. */
export const options: readonly Option[] = collect(configSchema, []);

/** `providers[0].models[2].id` */
export function pathText(path: Path): string {
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
    '',
  );
}

/** What the schema accepts at a path; empty for a path it does not know. */
export function kindsAt(path: Path): ReadonlySet<Kind> {
  return placeAt(path).kinds;
}

/** The fields an object at this path may have; empty if it is not an object. */
export function fieldsAt(path: Path): readonly string[] {
  return placeAt(path)
    .schemas.flatMap(alternatives)
    .flatMap((schema) => Object.keys(shapeOf(schema)));
}

type Schema = z.core.$ZodType;

function collect(schema: Schema, path: readonly string[]): Option[] {
  return Object.entries(shapeOf(unwrap(schema))).flatMap(([name, field]) => {
    const fieldPath = [...path, name];
    const kinds = new Set(kindsOf(field));
    if (kinds.has('object')) return collect(field, fieldPath);
    if (isListOfObjects(field)) return [];
    const notes = notesOf(field);
    return {
      path: fieldPath,
      kinds,
      environment: notes.environment ?? environmentName(fieldPath),
      usualEnvironment: environmentName(fieldPath),
      environmentToo: notes.environmentToo ?? null,
      flag: notes.flag ?? null,
      secret: notes.secret === true,
      description: notes.description ?? '',
    };
  });
}

function isListOfObjects(schema: Schema): boolean {
  const definition = definitionOf(unwrap(schema));
  return definition.type === 'array' && definitionOf(unwrap(definition.element)).type === 'object';
}

/** `limits.bodyBytesMax` → `TURNPIKE_LIMITS_BODY_BYTES_MAX` */
function environmentName(path: readonly string[]): string {
  return ['TURNPIKE', ...path].map((part) => part.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toUpperCase()).join('_');
}

/** A place of the schema, for readers that go down from the top. Those below it are made once: a file can have hundreds of thousands of values. */
export interface Place {
  readonly schemas: readonly Schema[];
  readonly kinds: ReadonlySet<Kind>;
  readonly isSecret: boolean;
  /** Only fields of the schema, so their number does not depend on the file. */
  readonly fields: Map<string, Place>;
  element: Place | null;
  /** Where names are not the schema's. */
  value: Place | null;
}

function placeAt(path: Path): Place {
  let place = atTop;
  for (const part of path) place = typeof part === 'number' ? atElement(place) : atField(place, part);
  return place;
}

export function atElement(place: Place): Place {
  place.element ??= placeOf(
    place.schemas.flatMap(alternatives).flatMap((schema) => {
      const definition = definitionOf(schema);
      return definition.type === 'array' ? [definition.element] : [];
    }),
  );
  return place.element;
}

export function atField(place: Place, name: string): Place {
  const made = place.fields.get(name);
  if (made !== undefined) return made;
  const schemas = place.schemas.flatMap(alternatives).flatMap((schema) => {
    const shape = shapeOf(schema);
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined;
    return field === undefined ? [] : [field];
  });
  if (schemas.length === 0) return entryOf(place);
  const field = placeOf(schemas);
  place.fields.set(name, field);
  return field;
}

function entryOf(place: Place): Place {
  if (place.value !== null) return place.value;
  const values = place.schemas.flatMap(alternatives).flatMap((schema) => {
    const definition = definitionOf(schema);
    return definition.type === 'record' ? [definition.valueType] : [];
  });
  place.value = values.length === 0 ? NOWHERE : placeOf(values);
  return place.value;
}

function placeOf(schemas: readonly Schema[]): Place {
  return {
    schemas,
    kinds: new Set(schemas.flatMap(kindsOf)),
    isSecret: schemas.some((schema) => notesOf(schema).secret === true),
    fields: new Map(),
    element: null,
    value: null,
  };
}

export const atTop = placeOf([configSchema]);
const NOWHERE = placeOf([]);

function kindsOf(schema: Schema): Kind[] {
  const nullable: Kind[] = isNullable(schema) ? ['null'] : [];
  return nullable.concat(
    alternatives(schema).flatMap((alternative): Kind[] => {
      switch (definitionOf(alternative).type) {
        case 'number':
          return ['number'];
        case 'boolean':
          return ['boolean'];
        case 'array':
          return ['list'];
        case 'object':
        case 'record':
          return ['object'];
        case 'string':
        case 'enum':
        case 'literal':
          return notesOf(alternative).decimal === true ? ['decimal'] : ['string'];
        default:
          return [];
      }
    }),
  );
}

function alternatives(schema: Schema): Schema[] {
  const bare = unwrap(schema);
  const definition = definitionOf(bare);
  return definition.type === 'union' ? definition.options.flatMap(alternatives) : [bare];
}

/** The schema inside defaults, null and transformations: of the input, not of the result. */
function unwrap(schema: Schema): Schema {
  const definition = definitionOf(schema);
  switch (definition.type) {
    case 'default':
    case 'prefault':
    case 'nullable':
    case 'optional':
      return unwrap(definition.innerType);
    case 'pipe':
      return unwrap(definition.in);
    default:
      return schema;
  }
}

function isNullable(schema: Schema): boolean {
  const definition = definitionOf(schema);
  if (definition.type === 'nullable') return true;
  return definition.type === 'default' || definition.type === 'prefault' ? isNullable(definition.innerType) : false;
}

function shapeOf(schema: Schema): Readonly<Record<string, Schema>> {
  const definition = definitionOf(schema);
  return definition.type === 'object' ? definition.shape : {};
}

function definitionOf(schema: Schema) {
  return (schema as z.core.$ZodTypes)._zod.def;
}

function notesOf(schema: Schema): OptionNotes {
  return ((schema as z.ZodType).meta() as OptionNotes | undefined) ?? {};
}
