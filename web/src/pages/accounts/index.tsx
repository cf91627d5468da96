import type { ReactElement } from 'react';
import { PageHeader } from '../../components/index.ts';

export default function AccountsPage(): ReactElement {
  return <PageHeader title="Accounts" />;
}
