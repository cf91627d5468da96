import { type ReactElement, useId } from 'react';
import { useApi } from '../../api/use-api.ts';
import { Button, Combobox, IconButton, NumberInput, Select } from '../../components/index.ts';
import { emptyTarget, shareText, type TargetDraft } from './alias-draft.ts';

export interface TargetRowsProps {
  readonly value: readonly TargetDraft[];
  readonly onChange: (value: readonly TargetDraft[]) => void;
  /** What the server says is wrong with them, or null. */
  readonly error: string | null;
}

const ROWS_MAX = 20;

/** The models of an alias: a row for each, with its provider and weight. */
export function TargetRows({ value, onChange, error }: TargetRowsProps): ReactElement {
  const id = useId();
  const catalog = useApi('listCatalog', {}, { staleTime: 300_000 });
  const models = catalog.data?.data ?? [];
  const change = (row: number, changes: Partial<TargetDraft>) =>
    onChange(value.map((target) => (target.row === row ? { ...target, ...changes } : target)));
  return (
    <fieldset className="flex min-w-0 flex-col gap-3" aria-describedby={`${id}-hint`}>
      <legend className="mb-1.5 font-medium">Leads to</legend>
      <div aria-hidden="true" className="-mb-2 flex gap-2 text-sm text-muted max-sm:hidden">
        <span className="flex-1">Model</span>
        <span className="w-36">Provider</span>
        <span className="w-64">Weight</span>
      </div>
      {value.map((target, index) => {
        const providers = models.find((model) => model.id === target.model)?.providers ?? [];
        const options = models.map((model) => ({ value: model.id, label: model.id }));
        const isKnown = target.model === null || options.some((option) => option.value === target.model);
        const which = `model ${index + 1}`;
        return (
          <div key={target.row} className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-2 sm:flex">
            <Combobox
              aria-label={`ID of ${which}`}
              className="min-w-0 max-sm:col-span-2 sm:flex-1"
              placeholder="Search models"
              value={target.model}
              onChange={(model) => change(target.row, { model, provider: '' })}
              options={isKnown ? options : [...options, { value: target.model ?? '', label: target.model ?? '' }]}
            />
            <Select
              aria-label={`Provider of ${which}`}
              className="w-full sm:w-36"
              value={target.provider}
              onChange={(provider) => change(target.row, { provider })}
              options={providerOptions(providers, target.provider)}
            />
            <div className="flex items-center gap-2 max-sm:col-span-2 sm:w-64 sm:shrink-0">
              <NumberInput
                aria-label={`Weight of ${which}`}
                className="w-24 min-w-0 sm:flex-1"
                value={target.weight}
                onChange={(weight) => change(target.row, { weight })}
              />
              <span className="figures w-16 text-right text-sm text-muted">{shareText(target.weight, value)}</span>
              <IconButton
                icon="trash"
                label={`Remove ${which}`}
                disabled={value.length === 1}
                onClick={() => onChange(value.filter(({ row }) => row !== target.row))}
              />
            </div>
          </div>
        );
      })}
      <div>
        <Button
          icon="plus"
          size="small"
          disabled={value.length >= ROWS_MAX}
          onClick={() => onChange([...value, emptyTarget(Math.max(...value.map(({ row }) => row)) + 1)])}
        >
          Add model
        </Button>
      </div>
      <p id={`${id}-hint`} className="text-sm text-muted">
        Requests are shared by weight; the other models follow if the chosen one fails. Weight 0: only if the others
        fail.
      </p>
      {error !== null && (
        <p role="alert" className="text-sm text-bad-text">
          {error}
        </p>
      )}
    </fieldset>
  );
}

function providerOptions(providers: readonly string[], chosen: string) {
  const known = chosen === '' || providers.includes(chosen) ? providers : [...providers, chosen];
  return [{ value: '', label: 'Any provider' }, ...known.map((name) => ({ value: name, label: name }))];
}
