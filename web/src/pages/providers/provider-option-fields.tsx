import type { ReactElement } from 'react';
import type { Provider } from '../../api/types.ts';
import { Field, Select, TextInput } from '../../components/index.ts';
import { complaintAbout } from '../../forms/complaint.ts';
import type { Kind } from './provider-draft.ts';

export interface ProviderOptionFieldsProps {
  readonly kind: Pick<Kind, 'options'>;
  /** By the option's name. */
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (values: Readonly<Record<string, string>>) => void;
  readonly error: unknown;
}

/** What an entry of this kind says besides address and credential: a region, a project. Nothing for most kinds. */
export function ProviderOptionFields({ kind, values, onChange, error }: ProviderOptionFieldsProps): ReactElement {
  return (
    <>
      {kind.options.map(({ name, is_required: isRequired, example, values: choices }) => {
        const value = values[name] ?? '';
        const set = (text: string): void => onChange({ ...values, [name]: text });
        const { label, hint, ofChoice } = wordsOf(name);
        return (
          <Field
            key={name}
            label={label}
            optional={!isRequired}
            hint={hint ?? `Such as ${example}.`}
            error={complaintAbout(error, name)}
          >
            {choices === null ? (
              <TextInput
                value={value}
                onChange={set}
                required={isRequired}
                maxLength={100}
                placeholder={example}
                mono
              />
            ) : (
              <Select
                value={value}
                onChange={set}
                options={[
                  { value: '', label: 'The credential below' },
                  ...choices.map((choice) => ({ value: choice, label: ofChoice?.[choice] ?? choice })),
                ]}
              />
            )}
          </Field>
        );
      })}
    </>
  );
}

/** The options of a provider that are set, as rows of facts. */
export function shownOptions(options: Provider['options']): [label: string, value: string][] {
  return Object.entries(options).map(([name, value]) => {
    const { label, ofChoice } = wordsOf(name);
    return [label, ofChoice?.[value] ?? value];
  });
}

interface Words {
  readonly label: string;
  readonly hint?: string;
  readonly ofChoice?: Readonly<Record<string, string>>;
}

const WORDS: Readonly<Record<string, Words>> = {
  region: { label: 'AWS region' },
  project: { label: 'Google Cloud project', hint: 'That of the service account if you leave it empty.' },
  location: { label: 'Location', hint: 'Such as global or europe-west1.' },
  api_version: { label: 'API version', hint: 'Empty for the v1 API; a date for the older API, such as 2024-10-21.' },
  account_id: { label: 'Account ID', hint: 'In the address of the Cloudflare dashboard, 32 letters and digits.' },
  credential_from: {
    label: 'Keys from',
    hint: 'Temporary keys are renewed by themselves.',
    ofChoice: { container: 'The container (ECS, EKS)', instance: 'The EC2 instance’s role' },
  },
};

function wordsOf(name: string): Words {
  return WORDS[name] ?? { label: name };
}
