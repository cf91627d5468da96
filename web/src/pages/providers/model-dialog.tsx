import { type ReactElement, useId, useState } from 'react';
import {
  Button,
  Dialog,
  ErrorNote,
  Field,
  MoneyInput,
  NumberInput,
  RadioCards,
  TagsInput,
  TextInput,
} from '../../components/index.ts';
import { draftOfModel, MODALITIES, type ModelSetting, settingOf } from './model-draft.ts';

export interface ModelDialogProps {
  /** Null for a new one. */
  readonly setting: ModelSetting | null;
  /** The initial name of a new one; empty for none. */
  readonly upstream: string;
  readonly taken: readonly string[];
  readonly found: readonly string[];
  readonly loading: boolean;
  readonly error: unknown;
  readonly onClose: () => void;
  readonly onSave: (setting: ModelSetting) => void;
}

export function ModelDialog({
  setting,
  upstream,
  taken,
  found,
  loading,
  error,
  onClose,
  onSave,
}: ModelDialogProps): ReactElement {
  const form = useId();
  const [draft, setDraft] = useState(() =>
    setting === null && upstream !== ''
      ? { ...draftOfModel(null), upstream, pricing: 'own' as const }
      : draftOfModel(setting),
  );
  const isTaken = setting === null && taken.includes(draft.upstream.trim());
  const change = (changes: Partial<typeof draft>): void => setDraft({ ...draft, ...changes });
  return (
    <Dialog
      open
      onClose={onClose}
      title={setting === null ? 'Add model or price' : `Edit ${setting.upstream}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} kind="primary" loading={loading} disabled={isTaken}>
            Save model
          </Button>
        </>
      }
    >
      <form
        id={form}
        autoComplete="off"
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          onSave(settingOf(draft));
        }}
      >
        {setting === null && (
          <Field
            label="Model"
            hint="The provider’s name for it. Run a connection test first to get suggestions."
            error={isTaken ? 'This model is already in the list. Edit it there.' : null}
          >
            <TextInput
              value={draft.upstream}
              onChange={(upstream) => change({ upstream })}
              required
              maxLength={200}
              list={`${form}-models`}
              mono
            />
          </Field>
        )}
        <datalist id={`${form}-models`}>
          {found.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <Field label="Price">
          <RadioCards
            columns={3}
            value={draft.pricing}
            onChange={(pricing) => change({ pricing })}
            options={[
              { value: 'known', title: 'Catalogue price' },
              { value: 'own', title: 'Custom price' },
              { value: 'free', title: 'Free' },
            ]}
          />
        </Field>
        {draft.pricing === 'own' && (
          <div className="grid gap-4 sm:grid-cols-2">
            <Price label="Input" value={draft.input} onChange={(input) => change({ input })} required />
            <Price label="Output" value={draft.output} onChange={(output) => change({ output })} required />
            <Price label="Cache reads" value={draft.cacheRead} onChange={(cacheRead) => change({ cacheRead })} />
            <Price label="Cache writes" value={draft.cacheWrite} onChange={(cacheWrite) => change({ cacheWrite })} />
            <Price label="Image input" value={draft.inputImage} onChange={(inputImage) => change({ inputImage })} />
          </div>
        )}
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Public model ID" optional hint="For example acme/large.">
            <TextInput value={draft.id} onChange={(id) => change({ id })} maxLength={200} mono />
          </Field>
          <Field label="Name" optional>
            <TextInput value={draft.name} onChange={(name) => change({ name })} maxLength={200} />
          </Field>
          <Field label="Context window" optional>
            <NumberInput value={draft.context} onChange={(context) => change({ context })} unit="tokens" />
          </Field>
          <Field label="Max output" optional>
            <NumberInput value={draft.cap} onChange={(cap) => change({ cap })} unit="tokens" />
          </Field>
          <Field label="Input types" optional hint="Defaults to what is known, or text.">
            <Modalities value={draft.reads} onChange={(reads) => change({ reads })} />
          </Field>
          <Field label="Output types" optional hint="Defaults to what is known, or text.">
            <Modalities value={draft.writes} onChange={(writes) => change({ writes })} />
          </Field>
        </div>
        <ErrorNote error={error} />
      </form>
    </Dialog>
  );
}

interface ModalitiesProps {
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
}

function Modalities({ value, onChange }: ModalitiesProps): ReactElement {
  const check = (name: string): string | null =>
    MODALITIES.some((known) => known === name) ? null : `Use one of ${MODALITIES.join(', ')}.`;
  return (
    <TagsInput value={value} onChange={onChange} check={check} suggestions={MODALITIES} placeholder="text, image" />
  );
}

interface PriceProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly required?: boolean;
}

function Price({ label, value, onChange, required = false }: PriceProps): ReactElement {
  return (
    <Field label={label} optional={!required}>
      <MoneyInput value={value} onChange={onChange} unit="per 1M tokens" required={required} />
    </Field>
  );
}
