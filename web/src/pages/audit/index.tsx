import type { ReactElement } from 'react';
import { PageHeader } from '../../components/index.ts';

export default function AuditPage(): ReactElement {
  return <PageHeader title="Audit log" />;
}
