import type { ReactElement } from 'react';
import { Field, TagsInput } from '../components/index.ts';
import { checkAddress } from './check-entry.ts';
import { complaintAbout } from './complaint.ts';
import type { PermissionFieldsProps } from './model-fields.tsx';

/** Where requests may come from. */
export function AddressFields({ value, onChange, error }: PermissionFieldsProps): ReactElement {
  return (
    <Field
      label="Allowed IP addresses"
      hint="Addresses or CIDR ranges: 203.0.113.7, 10.0.0.0/8, 2001:db8::/32. Leave empty to allow any."
      error={complaintAbout(error, 'permissions.ips')}
    >
      <TagsInput
        value={value.ips}
        onChange={(ips) => onChange({ ...value, ips })}
        check={checkAddress}
        placeholder="any address"
      />
    </Field>
  );
}
