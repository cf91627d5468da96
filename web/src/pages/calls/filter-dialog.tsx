import { type ReactElement, useId, useState } from 'react';
import {
  Button,
  Combobox,
  DateTimeInput,
  Dialog,
  Field,
  MoneyInput,
  NumberInput,
  type Option,
  Select,
  TextInput,
} from '../../components/index.ts';
import { amountOf } from '../billing/money-text.ts';
import { type CallFilters, FILTER_NAMES, type FilterChanges, type FilterName } from './call-filters.ts';
import { ENDING_NAMES, statusName } from './call-words.ts';
import { useChoices, withCurrent } from './use-choices.ts';
import { TIME_WORDS, type TimeFilter, type TimeName } from './use-time-filter.ts';

interface FilterDialogProps {
  readonly filters: CallFilters;
  readonly change: (changes: FilterChanges & Readonly<Record<string, string | null>>) => void;
  readonly time: TimeFilter;
  readonly onClose: () => void;
}

const STATUSES = ['ok', 'failed', '2xx', '4xx', '5xx', '400', '401', '402', '429', '499', '500', '502', '503', '504'];
const ANY: Option = { value: '', label: 'Any' };

/** All request filters; they take effect with "Apply filters". */
export function FilterDialog({ filters, change, time, onClose }: FilterDialogProps): ReactElement {
  const form = useId();
  const [draft, setDraft] = useState<CallFilters>(filters);
  const [span, setSpan] = useState<TimeName>(time.name);
  const [from, setFrom] = useState<string | null>(time.from ?? null);
  const [to, setTo] = useState<string | null>(time.to ?? null);
  const set = (name: FilterName) => (value: string | null) =>
    setDraft((before) => ({ ...before, [name]: value ?? '' }));
  const isBackwards = span === 'custom' && from !== null && to !== null && from >= to;
  const isNoMetadata = !!draft.metadata && draft.metadata.indexOf(':') < 1;
  const choices = useChoices(filters);
  const apply = (): void => {
    if (isBackwards || isNoMetadata) return;
    const isCustom = span === 'custom';
    change({
      ...Object.fromEntries(FILTER_NAMES.map((name) => [name, draft[name] || null])),
      min_charge: amountOf(draft.min_charge ?? ''),
      range: isCustom || span === 'any' ? null : span,
      from: isCustom ? from : null,
      to: isCustom ? to : null,
    });
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Filter requests"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" disabled={isBackwards || isNoMetadata}>
            Apply filters
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="grid gap-4 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        <Field label="Status">
          <Select
            value={draft.status ?? ''}
            onChange={set('status')}
            options={[
              ANY,
              ...withCurrent(STATUSES, filters.status).map((value) => ({ value, label: statusName(value) })),
            ]}
          />
        </Field>
        <Field label="Ending">
          <Select
            value={draft.ending ?? ''}
            onChange={set('ending')}
            options={[ANY, ...Object.entries(ENDING_NAMES).map(([value, label]) => ({ value, label }))]}
          />
        </Field>
        <Field label="Model">
          <Combobox value={draft.model || null} onChange={set('model')} options={choices.models} placeholder="Any" />
        </Field>
        <Field label="Provider">
          <Select value={draft.provider ?? ''} onChange={set('provider')} options={[ANY, ...choices.providers]} />
        </Field>
        <Field label="API key">
          <Combobox value={draft.key || null} onChange={set('key')} options={choices.keys} placeholder="Any" />
        </Field>
        <Field label="Project">
          <Combobox
            value={draft.project || null}
            onChange={set('project')}
            options={choices.projects}
            placeholder="Any"
          />
        </Field>
        <Field label="Streamed">
          <Select
            value={draft.streamed ?? ''}
            onChange={set('streamed')}
            options={[ANY, { value: 'true', label: 'Yes' }, { value: 'false', label: 'No' }]}
          />
        </Field>
        <Field label="Time range">
          <Select
            value={span}
            onChange={setSpan}
            options={(Object.keys(TIME_WORDS) as TimeName[]).map((value) => ({ value, label: TIME_WORDS[value] }))}
          />
        </Field>
        {span === 'custom' && (
          <>
            <Field label="From" optional>
              <DateTimeInput value={from} onChange={setFrom} />
            </Field>
            <Field label="To" optional error={isBackwards ? 'Must be later than the start.' : null}>
              <DateTimeInput value={to} onChange={setTo} />
            </Field>
          </>
        )}
        <Field label="Minimum charge">
          <MoneyInput value={draft.min_charge ?? ''} onChange={set('min_charge')} placeholder="0.00" />
        </Field>
        <Field label="Minimum latency">
          <NumberInput
            value={draft.min_duration_ms ? Number(draft.min_duration_ms) : null}
            onChange={(ms) => set('min_duration_ms')(ms === null ? null : String(ms))}
            unit="ms"
          />
        </Field>
        <Field label="User" hint="Exact match.">
          <TextInput value={draft.user ?? ''} onChange={set('user')} maxLength={256} />
        </Field>
        <Field label="App" hint="Exact match.">
          <TextInput value={draft.app ?? ''} onChange={set('app')} maxLength={128} />
        </Field>
        <Field label="Metadata" error={isNoMetadata ? 'Use the form name:value.' : null}>
          <TextInput value={draft.metadata ?? ''} onChange={set('metadata')} placeholder="team:support" />
        </Field>
      </form>
    </Dialog>
  );
}
