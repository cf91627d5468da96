import { type ReactElement, useMemo } from 'react';
import { EmptyState, TextInput } from '../../components/index.ts';
import { useQueryState } from '../../navigation/use-query-state.ts';
import { ApiKeyProvider } from './api-key.tsx';
import { baseOf, type Document, type Group, groupsOf, searched } from './document.ts';
import { OperationRow } from './operation-row.tsx';
import { useAnchor } from './use-anchor.ts';

/** Every route is a closed row: its content is rendered when it is opened, so that the page appears immediately. */
export function DocumentPage({ document }: { readonly document: Document }): ReactElement {
  const [search, setSearch] = useQueryState('search');
  const groups = useMemo(() => groupsOf(document), [document]);
  const shown = useMemo(() => searched(groups, search), [groups, search]);
  const anchor = useAnchor();
  const count = shown.reduce((sum, { operations }) => sum + operations.length, 0);
  return (
    <ApiKeyProvider>
      <p className="text-muted">
        Version {document.info.version}, at <code className="font-mono break-all text-text">{baseOf(document)}</code>
      </p>
      <div className="mt-6 flex flex-wrap items-center gap-3">
        <TextInput
          type="search"
          aria-label="Search the routes"
          placeholder="Search: path, name, parameter"
          value={search}
          onChange={setSearch}
          className="sm:max-w-80"
        />
        <p role="status" className="figures text-sm text-muted">
          {count === 1 ? '1 route' : `${count} routes`}
        </p>
      </div>
      <Contents groups={shown} />
      {shown.length === 0 && <EmptyState icon="search" title="No matching routes" />}
      {shown.map(({ tag, operations }) => (
        <section key={tag} aria-labelledby={tagId(tag)} className="mt-8">
          <h2 id={tagId(tag)} className="mb-3 scroll-mt-16 text-lg font-semibold first-letter:uppercase">
            {tag}
          </h2>
          <div className="divide-y rounded-lg border bg-surface">
            {operations.map((operation) => (
              <OperationRow
                key={operation.operationId}
                operation={operation}
                document={document}
                isAsked={anchor === operation.operationId}
              />
            ))}
          </div>
        </section>
      ))}
    </ApiKeyProvider>
  );
}

function Contents({ groups }: { readonly groups: readonly Group[] }): ReactElement {
  return (
    <nav aria-label="Groups of routes" className="mt-4">
      <ul className="flex flex-wrap gap-2">
        {groups.map(({ tag, operations }) => (
          <li key={tag}>
            <a
              href={`#${tagId(tag)}`}
              className="flex items-center gap-1.5 rounded-full border bg-surface px-3 py-1 text-sm text-muted hover:border-control hover:text-text"
            >
              <span className="first-letter:uppercase">{tag}</span>
              <span className="figures text-xs">{operations.length}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function tagId(tag: string): string {
  return `tag-${tag.replaceAll(/\W+/g, '-')}`;
}
