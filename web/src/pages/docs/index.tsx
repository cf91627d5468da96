import type { ReactElement } from 'react';
import { PageHeader } from '../../components/index.ts';

export default function DocsPage(): ReactElement {
  return <PageHeader title="Management API" />;
}
