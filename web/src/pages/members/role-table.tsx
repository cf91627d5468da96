import type { ReactElement } from 'react';
import { Card } from '../../components/index.ts';
import { ROLES } from './roles.ts';

export function RoleTable(): ReactElement {
  return (
    <Card title="Roles">
      <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[7rem_minmax(0,1fr)] sm:gap-y-2.5">
        {ROLES.map(({ role, title, may }) => (
          <div key={role} className="contents">
            <dt className="font-medium">{title}</dt>
            <dd className="text-muted max-sm:mb-2">{may}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
