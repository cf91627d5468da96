import type { ReactElement } from 'react';
import { useIsClosed, useMay } from '../../api/session.ts';
import type { Key } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';
import {
  Card,
  Combobox,
  classNames,
  Field,
  LinkButton,
  Note,
  PageHeader,
  Select,
  StatusBadge,
} from '../../components/index.ts';
import { useQueryState } from '../../navigation/use-query-state.ts';
import { useConnection } from './connection.ts';
import { useFreshKey } from './fresh-key.ts';
import { factsOf } from './model-facts.ts';
import { KEY_PLACEHOLDER, type Tool } from './tool.ts';
import { ToolBlocks } from './tool-blocks.tsx';
import { TOOL_KINDS, toolById, tools } from './tools.ts';
import { type ModelToTry, useModelToTry } from './use-model-to-try.ts';

/** In the URL: `tool`, `key` (its id), `model`. */
export default function ConnectPage(): ReactElement {
  const [toolId, setTool] = useQueryState('tool', tools[0].id);
  const tool = toolById(toolId);
  const [keyId, setKey] = useQueryState('key');
  const [asked, setModel] = useQueryState('model');
  const key = useKeyOf(keyId);
  const choice = useModelToTry(asked, key);
  const connection = {
    ...useConnection(choice.model, key),
    ...(choice.entry && { facts: factsOf(choice.entry) }),
  };
  return (
    <>
      <PageHeader title="Connect a tool" description="Use your existing tools: change the base URL and the API key." />
      <div className="grid items-start gap-6 lg:grid-cols-[12rem_minmax(0,1fr)]">
        <ToolList chosen={tool} choose={setTool} />
        <div className="flex min-w-0 flex-col gap-6">
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="Tool" className="lg:hidden">
              <Select value={tool.id} onChange={setTool} options={tools.map(optionOf)} />
            </Field>
            <ModelField choice={choice} tool={tool} onChange={setModel} />
            <KeyField value={key} onChange={setKey} />
          </div>
          <KeyProblem row={key} />
          <Card title={tool.name} footer={<KeyNote row={key} />}>
            <ToolBlocks tool={tool} connection={connection} />
          </Card>
        </div>
      </div>
    </>
  );
}

interface ToolListProps {
  readonly chosen: Tool;
  readonly choose: (id: string) => void;
}

function ToolList({ chosen, choose }: ToolListProps): ReactElement {
  return (
    <nav aria-label="Tools" className="hidden flex-col gap-4 lg:flex">
      {TOOL_KINDS.map(([kind, words]) => (
        <section key={kind} aria-label={words}>
          <h2 className="mb-1 px-3 text-xs text-muted">{words}</h2>
          <div className="flex flex-col gap-0.5">
            {tools
              .filter((tool) => tool.kind === kind)
              .map((tool) => (
                <button
                  key={tool.id}
                  type="button"
                  aria-current={tool.id === chosen.id ? 'page' : undefined}
                  onClick={() => choose(tool.id)}
                  className={classNames(
                    'flex items-center justify-between gap-2 rounded px-3 py-1.5 text-left',
                    tool.id === chosen.id ? 'bg-sunken font-medium' : 'text-muted hover:bg-sunken hover:text-text',
                  )}
                >
                  {tool.name}
                </button>
              ))}
          </div>
        </section>
      ))}
    </nav>
  );
}

function optionOf({ id, name }: Tool): { readonly value: string; readonly label: string } {
  return { value: id, label: name };
}

interface ModelFieldProps {
  readonly choice: ModelToTry;
  readonly tool: Tool;
  readonly onChange: (model: string) => void;
}

/** When cleared: the last one used, or else the cheapest. */
function ModelField({ choice, tool, onChange }: ModelFieldProps): ReactElement {
  const { model, options } = choice;
  const known = options.map((each) => ({
    value: each.id,
    label: tool.needsTools && !factsOf(each).hasTools ? `${each.id} (no tool calls)` : each.id,
  }));
  const isKnown = known.some(({ value }) => value === model);
  return (
    <Field label="Model">
      <Combobox
        value={model}
        onChange={(next) => onChange(next ?? '')}
        options={isKnown ? known : [{ value: model, label: model }, ...known]}
        none="No matching models."
      />
    </Field>
  );
}

interface KeyFieldProps {
  readonly value: Key | null;
  readonly onChange: (id: string) => void;
}

function KeyField({ value, onChange }: KeyFieldProps): ReactElement {
  const keys = useApi('listKeys', { query: { limit: 200, include_disabled: 'false' } }, { staleTime: 60_000 });
  const known = (keys.data?.data ?? []).filter(({ kind }) => kind === 'inference');
  const options = value === null || known.some(({ id }) => id === value.id) ? known : [value, ...known];
  return (
    <Field label="API key">
      <Combobox
        value={value === null ? null : String(value.id)}
        onChange={(id) => onChange(id ?? '')}
        options={options.map(({ id, name, label }) => ({ value: String(id), label: `${name} · ${label}` }))}
        placeholder="Any key"
        none="No matching keys."
      />
    </Field>
  );
}

/** Null when no key is named, or the named key cannot make requests. */
function useKeyOf(id: string): Key | null {
  const { data } = useApi('readKey', { params: { key: id } }, { enabled: id !== '' });
  return id === '' || data?.data.kind !== 'inference' ? null : data.data;
}

function KeyProblem({ row }: { readonly row: Key | null }): ReactElement | null {
  if (row === null || row.status === 'active' || row.status === 'retiring') return null;
  return (
    <Note tone="bad">
      {row.name} is <StatusBadge status={row.status} />. Requests with it are rejected.
    </Note>
  );
}

function KeyNote({ row }: { readonly row: Key | null }): ReactElement {
  const fresh = useFreshKey();
  const mayCreate = useMay('developer');
  const isClosed = useIsClosed();
  if (isClosed)
    return <>This account is closed, so its keys no longer work. Switch to another account to connect a tool.</>;
  if (fresh !== null && (row === null || row.id === fresh.id)) {
    return <>Your new key “{fresh.name}” is filled in. It disappears when you reload the page.</>;
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <span>
        {row === null
          ? `Replace ${KEY_PLACEHOLDER} with your key, or create one here to have it filled in.`
          : `Replace ${row.label} with the full key “${row.name}”, which was shown when it was created.`}
      </span>
      {mayCreate && (
        <LinkButton href="/keys?new=1" size="small" icon="plus">
          Create key
        </LinkButton>
      )}
    </div>
  );
}
