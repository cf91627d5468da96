import { type ReactElement, useEffect, useRef, useState } from 'react';
import type { Provider } from '../../api/types.ts';
import { useChange } from '../../api/use-api.ts';
import { Button, ErrorNote, Menu } from '../../components/index.ts';
import { formatPrice } from '../../format/money.ts';
import { FoundModels } from './found-models.tsx';
import { ModelDialog } from './model-dialog.tsx';
import type { ModelSetting } from './model-draft.ts';
import { freeModel, offeredModels } from './offered-models.ts';

export interface ModelSettingsProps {
  readonly provider: Provider;
  readonly isReadOnly: boolean;
  /** Names found by a test, as suggestions. */
  readonly found: readonly string[];
  /** The provider was just added, and has no models otherwise. */
  readonly isNext: boolean;
}

/** Models missing from the catalogue, and prices that differ from it. Each change sends the whole list. */
export function ModelSettings({ provider, isReadOnly, found, isNext }: ModelSettingsProps): ReactElement | null {
  const settings = provider.model_settings;
  const update = useChange('updateProvider');
  const [edited, setEdited] = useState<ModelSetting | 'new' | null>(null);
  const [upstream, setUpstream] = useState('');
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isNext) section.current?.scrollIntoView({ block: 'start' });
  }, [isNext]);
  const add = (name: string): void => {
    setUpstream(name);
    setEdited('new');
  };
  const save = (model_settings: readonly ModelSetting[]): void =>
    update.mutate(
      { params: { provider: provider.name }, body: { model_settings } },
      { onSuccess: () => setEdited(null) },
    );
  if (isReadOnly && settings.length === 0) return null;
  return (
    <section ref={section} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h3 className="font-semibold">Custom models and prices</h3>
          <p className="mt-0.5 text-sm text-muted">
            Models missing from the catalogue, and prices that differ from it.
          </p>
        </div>
        {!isReadOnly && (
          <Button size="small" icon="plus" onClick={() => add('')}>
            Add model
          </Button>
        )}
      </div>
      {settings.length === 0 ? (
        <p className="rounded border border-dashed px-3 py-4 text-center text-sm text-muted">
          No custom models or prices.
        </p>
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
      {!isReadOnly && (
        <FoundModels
          names={offeredModels(provider, found)}
          loading={update.isPending}
          onPrice={add}
          onFree={(name) => save([...settings, freeModel(name)])}
        />
      )}
      {edited === null ? (
        <ErrorNote error={update.error} />
      ) : (
        <ModelDialog
          setting={edited === 'new' ? null : edited}
          upstream={upstream}
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
  if (price === null || price === undefined) return `${as}catalogue price`;
  if (price === 'free') return `${as}free`;
  return `${as}${formatPrice(price.input)} input, ${formatPrice(price.output)} output per 1M tokens`;
}
