import { type ReactElement, useState } from 'react';
import { Icon } from '../../components/index.ts';
import { describeType, innerObjects, rulesOf } from './describe-schema.ts';
import type { Document, Schema } from './document.ts';
import { Prose } from './prose.tsx';

export interface FieldRow {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
  /** `in the path`. */
  readonly place?: string | undefined;
}

export interface SchemaTreeProps {
  readonly schema: Schema;
  readonly document: Document;
  /** For a request, required fields are marked. In answers, every declared field is present. */
  readonly isInput?: boolean;
}

/** A body: its fields, or its type if it has none. */
export function SchemaTree({ schema, document, isInput = false }: SchemaTreeProps): ReactElement {
  const objects = innerObjects(schema, document);
  if (objects.length === 0) return <p className="font-mono text-xs">{describeType(schema, document)}</p>;
  return <Objects objects={objects} document={document} isInput={isInput} depth={0} />;
}

export interface FieldsProps {
  readonly fields: readonly FieldRow[];
  readonly document: Document;
  readonly depth?: number;
  readonly isInput?: boolean;
}

export function Fields({ fields, document, depth = 0, isInput = true }: FieldsProps): ReactElement {
  return (
    <ul className="divide-y rounded border bg-surface">
      {fields.map((field) => (
        <FieldItem
          key={`${field.place} ${field.name}`}
          field={field}
          document={document}
          depth={depth}
          isInput={isInput}
        />
      ))}
    </ul>
  );
}

interface FieldItemProps {
  readonly field: FieldRow;
  readonly document: Document;
  readonly depth: number;
  readonly isInput: boolean;
}

function FieldItem({
  field: { name, schema, isRequired, place },
  document,
  depth,
  isInput,
}: FieldItemProps): ReactElement {
  const objects = innerObjects(schema, document);
  const rules = rulesOf(schema, document);
  // A list in an answer is the point of the route: it is open. Deeper levels open on request.
  const [isOpen, setOpen] = useState(depth === 0 && name === 'data' && !isInput);
  return (
    <li className="px-3 py-2">
      <div className="flex flex-wrap items-baseline gap-x-2.5 gap-y-0.5">
        <span className="font-mono text-sm font-medium break-all">{name}</span>
        <span className="font-mono text-xs wrap-anywhere text-muted">{describeType(schema, document)}</span>
        {place !== undefined && <span className="text-xs text-muted">{place}</span>}
        {isInput && isRequired && <span className="text-xs text-warn-text">required</span>}
        {!isInput && !isRequired && <span className="text-xs text-muted">may be absent</span>}
      </div>
      {schema.description !== undefined && (
        <p className="mt-0.5 text-sm text-muted">
          <Prose>{schema.description}</Prose>
        </p>
      )}
      {rules !== '' && <p className="mt-0.5 text-xs wrap-anywhere text-muted">{rules}</p>}
      {objects.length > 0 && (
        <>
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="mt-1 inline-flex items-center gap-1 rounded text-sm text-accent-text hover:underline"
          >
            <Icon name={isOpen ? 'down' : 'right'} className="size-3" />
            {isOpen ? 'Hide' : 'Show'} the fields<span className="sr-only"> of {name}</span>
          </button>
          {isOpen && (
            <div className="mt-2">
              <Objects objects={objects} document={document} isInput={isInput} depth={depth + 1} />
            </div>
          )}
        </>
      )}
    </li>
  );
}

interface ObjectsProps {
  readonly objects: readonly Schema[];
  readonly document: Document;
  readonly isInput: boolean;
  readonly depth: number;
}

function Objects({ objects, document, isInput, depth }: ObjectsProps): ReactElement {
  return (
    <div className="flex flex-col gap-2">
      {objects.map((schema, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the forms of a schema keep their places
        <div key={index}>
          {index > 0 && <p className="mb-2 text-sm text-muted">or</p>}
          <Fields fields={fieldsOf(schema)} document={document} depth={depth} isInput={isInput} />
        </div>
      ))}
    </div>
  );
}

function fieldsOf({ properties = {}, required = [] }: Schema): readonly FieldRow[] {
  return Object.entries(properties).map(([name, schema]) => ({ name, schema, isRequired: required.includes(name) }));
}
