import type { ReactElement } from 'react';
import { Field, TagsInput } from '../../components/index.ts';
import { checkOrigin } from '../../forms/check-entry.ts';
import { complaintAbout } from '../../forms/complaint.ts';

export interface OriginsFieldProps {
  readonly value: readonly string[];
  readonly onChange: (origins: readonly string[]) => void;
  readonly error?: unknown;
}

/** The web pages that may use a key. */
export function OriginsField({ value, onChange, error }: OriginsFieldProps): ReactElement {
  return (
    <Field
      label="Allowed web pages"
      hint="For a key that is used in browsers: the origins of your pages, like https://app.example.com or https://*.example.com. Every visitor can read the key, so give it a budget. Leave empty for programs."
      error={complaintAbout(error, 'origins')}
    >
      <TagsInput value={value} onChange={onChange} check={checkOrigin} placeholder="no web page" />
    </Field>
  );
}
