import type { ReactElement } from 'react';
import { operationPermissions } from '../api/dialects.ts';
import { useApi } from '../api/use-api.ts';
import { Field, TagsInput } from '../components/index.ts';
import { checkModelPattern } from './check-entry.ts';
import { complaintAbout } from './complaint.ts';
import type { PermissionsDraft } from './permissions-draft.ts';

export interface PermissionFieldsProps {
  readonly value: PermissionsDraft;
  readonly onChange: (value: PermissionsDraft) => void;
  readonly error?: unknown;
}

/** Allowed models, with suggestions from the catalogue. */
export function ModelFields({ value, onChange, error }: PermissionFieldsProps): ReactElement {
  const patterns = useModelPatterns();
  return (
    <>
      <Field
        label="Allowed models"
        hint="Model IDs, or a prefix and *: anthropic/*. Leave empty to allow all."
        error={complaintAbout(error, 'permissions.models_allow')}
      >
        <TagsInput
          value={value.models_allow}
          onChange={(models_allow) => onChange({ ...value, models_allow })}
          check={checkModelPattern}
          suggestions={patterns}
          placeholder="all models"
        />
      </Field>
      <Field
        label="Blocked models"
        hint="Takes precedence over allowed models."
        error={complaintAbout(error, 'permissions.models_deny')}
      >
        <TagsInput
          value={value.models_deny}
          onChange={(models_deny) => onChange({ ...value, models_deny })}
          check={checkModelPattern}
          suggestions={patterns}
          placeholder="none"
        />
      </Field>
      <Field
        label="Operations"
        hint="What the key may do. Leave empty to allow all, including future ones."
        error={complaintAbout(error, 'permissions.operations')}
      >
        <TagsInput
          value={value.operations}
          onChange={(operations) => onChange({ ...value, operations })}
          suggestions={operationPermissions}
          placeholder="all operations"
        />
      </Field>
    </>
  );
}

/** Every author's pattern first, then every model. */
function useModelPatterns(): readonly string[] {
  const catalog = useApi('listCatalog', {}, { staleTime: 300_000 });
  const ids = catalog.data?.data.map((model) => model.id) ?? [];
  const authors = new Set(ids.filter((id) => id.includes('/')).map((id) => `${id.split('/')[0]}/*`));
  return [...authors, ...ids];
}
