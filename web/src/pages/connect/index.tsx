import type { ReactElement } from 'react';
import { useMay } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { Card, Combobox, classNames, Field, LinkButton, PageHeader, Select } from '../../components/index.ts';
import { useQueryState } from '../../navigation/use-query-state.ts';
import { KEY_PLACEHOLDER, useConnection } from './connection.ts';
import { useFreshKey } from './fresh-key.ts';
import { ToolBlocks } from './tool-blocks.tsx';
import { toolById, tools } from './tools.tsx';
import { useModelToTry } from './use-model-to-try.ts';

export default function ConnectPage(): ReactElement {
  const [toolId, setTool] = useQueryState('tool', tools[0].id);
  const tool = toolById(toolId);
  const [asked, setModel] = useQueryState('model');
  const model = useModelToTry(asked);
  const connection = useConnection(model);
  return (
    <>
      <PageHeader title="Connect a tool" description="What you use already, with another address and a key of yours." />
      <div className="grid items-start gap-6 lg:grid-cols-[12rem_minmax(0,1fr)]">
        <nav aria-label="Tools" className="hidden flex-col gap-0.5 lg:flex">
          {tools.map(({ id, name }) => (
            <button
              key={id}
              type="button"
              aria-current={id === tool.id ? 'page' : undefined}
              onClick={() => setTool(id)}
              className={classNames(
                'rounded px-3 py-1.5 text-left',
                id === tool.id ? 'bg-sunken font-medium' : 'text-muted hover:bg-sunken hover:text-text',
              )}
            >
              {name}
            </button>
          ))}
        </nav>
        <div className="flex min-w-0 flex-col gap-6">
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="Tool" className="lg:hidden">
              <Select
                value={tool.id}
                onChange={setTool}
                options={tools.map(({ id, name }) => ({ value: id, label: name }))}
              />
            </Field>
            <ModelField value={model} onChange={setModel} />
          </div>
          <Card title={tool.name} footer={<KeyNote />}>
            <ToolBlocks tool={tool} connection={connection} />
          </Card>
        </div>
      </div>
    </>
  );
}

/** Cleared, it is the model that the server proposes. */
function ModelField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (model: string) => void;
}): ReactElement {
  const catalog = useApi('listCatalog', {}, { staleTime: 300_000 });
  const ids = (catalog.data?.data ?? []).filter((model) => model.is_usable).map((model) => model.id);
  const options = (ids.includes(value) ? ids : [value, ...ids]).map((id) => ({ value: id, label: id }));
  return (
    <Field label="Model">
      <Combobox value={value} onChange={(model) => onChange(model ?? '')} options={options} none="No such model." />
    </Field>
  );
}

function KeyNote(): ReactElement {
  const fresh = useFreshKey();
  const mayCreate = useMay('developer');
  if (fresh !== null) {
    return (
      <>
        The key “{fresh.name}”, which you have just made, is filled in. It is gone from here when the page is reloaded.
      </>
    );
  }
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <span>{KEY_PLACEHOLDER} stands for your key. A new key is filled in here by itself.</span>
      {mayCreate && (
        <LinkButton href="/keys?new=1" size="small" icon="plus">
          Create a key
        </LinkButton>
      )}
    </div>
  );
}
