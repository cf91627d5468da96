import type { ReactElement, ReactNode } from 'react';
import { StatusBadge } from '../../components/index.ts';
import { CodeTabs } from './code-tabs.tsx';
import { bodyType, type Content, type Document, FORM, type Operation } from './document.ts';
import { exampleAnswers } from './example-answers.ts';
import { Prose } from './prose.tsx';
import { requestSnippets } from './request-snippets.ts';
import { Fields, SchemaTree } from './schema-tree.tsx';
import { TryIt } from './try-it.tsx';
import { canTry } from './try-request.ts';

export interface OperationDetailProps {
  readonly operation: Operation;
  readonly document: Document;
}

export function OperationDetail({ operation, document }: OperationDetailProps): ReactElement {
  const { parameters = [], requestBody, responses } = operation;
  const answers = Object.entries(responses).filter(([status]) => status < '300');
  const refusals = Object.entries(responses).filter(([status]) => status >= '300');
  return (
    <div className="grid gap-x-8 gap-y-6 xl:grid-cols-[minmax(0,1fr)_minmax(0,27rem)]">
      <div className="flex min-w-0 flex-col gap-6">
        <p className="text-sm">
          <Prose>{whoMayAsk(operation)}</Prose>
        </p>
        {parameters.length > 0 && (
          <Part title="Parameters">
            <Fields
              document={document}
              fields={parameters.map(({ name, in: place, required, description, schema = {} }) => ({
                name,
                schema: description === undefined ? schema : { ...schema, description },
                isRequired: required === true,
                place: place === 'query' ? undefined : `in the ${place}`,
              }))}
            />
          </Part>
        )}
        {requestBody !== undefined && (
          <Part title="Body">
            <Contents content={requestBody.content} document={document} isInput />
          </Part>
        )}
        {answers.map(([status, answer]) => (
          <Part key={status} title="Answer" aside={<StatusBadge status={Number(status)} />}>
            {answer.description !== 'Done.' && <p className="mb-2 text-sm text-muted">{answer.description}</p>}
            <Contents content={answer.content ?? {}} document={document} />
          </Part>
        ))}
        {refusals.length > 0 && (
          <Part title="Errors">
            <dl className="grid grid-cols-[3rem_minmax(0,1fr)] gap-y-1.5 text-sm">
              {refusals.map(([status, { description }]) => (
                <div key={status} className="contents">
                  <dt className="figures font-mono text-xs leading-[18px]">{status}</dt>
                  <dd className="text-muted">{description}</dd>
                </div>
              ))}
            </dl>
          </Part>
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <CodeTabs title="Example request" snippets={requestSnippets(operation, document)} />
        <CodeTabs title="Example answer" snippets={exampleAnswers(operation, document)} />
        {canTry(operation) ? (
          <TryIt operation={operation} document={document} />
        ) : (
          <p className="text-sm text-muted">
            {bodyType(operation) === FORM
              ? 'This route takes a file: try it with the command above.'
              : 'This route needs a signed-in session, so it cannot be tried with a key.'}
          </p>
        )}
      </div>
    </div>
  );
}

interface PartProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

function Part({ title, aside, children }: PartProps): ReactElement {
  return (
    <section>
      <h4 className="mb-2 flex items-center gap-2 font-semibold">
        {title}
        {aside}
      </h4>
      {children}
    </section>
  );
}

interface ContentsProps {
  readonly content: Content;
  readonly document: Document;
  readonly isInput?: boolean;
}

function Contents({ content, document, isInput = false }: ContentsProps): ReactElement {
  const types = Object.entries(content);
  if (types.length === 0) return <p className="text-sm text-muted">Without a body.</p>;
  return (
    <div className="flex flex-col gap-3">
      {types.map(([type, { schema }]) => (
        <div key={type}>
          {(types.length > 1 || type !== 'application/json') && (
            <p className="mb-1.5 font-mono text-xs text-muted">{type}</p>
          )}
          {schema !== undefined && type.endsWith('json') && (
            <SchemaTree schema={schema} document={document} isInput={isInput} />
          )}
        </div>
      ))}
    </div>
  );
}

const KEYS: Readonly<Record<string, string>> = {
  bearer: 'Needs an API key.',
  apiKey: '',
  managementKey: 'Needs a management key.',
  session: 'Needs a signed-in session.',
};

function whoMayAsk({ security = [], description }: Operation): string {
  const schemes = security.flatMap((scheme) => Object.keys(scheme));
  const keys = schemes.map((scheme) => KEYS[scheme] ?? scheme).filter((words) => words !== '');
  if (keys.length === 0 && description === undefined) return 'Needs no key.';
  return [...keys, description].filter(Boolean).join(' ');
}
