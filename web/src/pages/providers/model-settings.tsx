import { type ReactElement, useState } from 'react';
import type { Provider } from '../../api/types.ts';
import { useChange } from '../../api/use-api.ts';
import { Button, ErrorNote, Menu } from '../../components/index.ts';
import { formatPrice } from '../../format/money.ts';
import { ModelDialog } from './model-dialog.tsx';

export type ModelSetting = Provider['model_settings'][number];

export interface ModelSettingsProps {
  readonly provider: Provider;
  readonly isReadOnly: boolean;
  /** What a test found: offered as names. */
  readonly found: readonly string[];
}

/** Models that the catalogue does not know, and prices that differ from it. The whole list goes with each change. */
export function ModelSettings({ provider, isReadOnly, found }: ModelSettingsProps): ReactElement | null {
  const settings = provider.model_settings;
  const update = useChange('updateProvider');
  const [edited, setEdited] = useState<ModelSetting | 'new' | null>(null);
  const save = (model_settings: readonly ModelSetting[]): void =>
    update.mutate(
      { params: { provider: provider.name }, body: { model_settings } },
      { onSuccess: () => setEdited(null) },
    );
  if (isReadOnly && settings.length === 0) return null;
  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h3 className="font-semibold">Own models and prices</h3>
          <p className="mt-0.5 text-sm text-muted">Models the catalogue does not know, and prices that differ here.</p>
        </div>
        {!isReadOnly && (
          <Button size="small" icon="plus" onClick={() => setEdited('new')}>
            Add
          </Button>
        )}
      </div>
      {settings.length === 0 ? (
        <p className="rounded border border-dashed px-3 py-4 text-center text-sm text-muted">None yet.</p>
      ) : (
        <ul className="divide-y rounded border">
          {settings.map((setting) => (
            <li key={setting.upstream} className="flex items-center gap-3 py-2 pr-2 pl-3">
              <div className="min-w-0 flex-1">
                <p className="font-mono text-sm break-all">{setting.upstream}</p>
                <p className="figures text-sm text-muted">{describe(setting)}</p>
              </div>
              {!isReadOnly && (
                <Menu
                  label={`Actions for ${setting.upstream}`}
                  items={[
                    { label: 'Edit', icon: 'edit', onSelect: () => setEdited(setting) },
                    {
                      label: 'Remove',
                      icon: 'trash',
                      danger: true,
                      onSelect: () => save(settings.filter((each) => each !== setting)),
                    },
                  ]}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {edited === null ? (
        <ErrorNote error={update.error} />
      ) : (
        <ModelDialog
          setting={edited === 'new' ? null : edited}
          taken={settings.map(({ upstream }) => upstream)}
          found={found}
          loading={update.isPending}
          error={update.error}
          onClose={() => {
            update.reset();
            setEdited(null);
          }}
          onSave={(setting) =>
            save(edited === 'new' ? [...settings, setting] : settings.map((each) => (each === edited ? setting : each)))
          }
        />
      )}
    </section>
  );
}

function describe({ price, id }: ModelSetting): string {
  const as = id === null || id === undefined ? '' : `as ${id}, `;
  if (price === null || price === undefined) return `${as}price as known`;
  if (price === 'free') return `${as}free`;
  return `${as}${formatPrice(price.input)} in, ${formatPrice(price.output)} out per 1M tokens`;
}
