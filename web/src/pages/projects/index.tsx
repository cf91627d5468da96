import { type ReactElement, useState } from 'react';
import { useMay } from '../../api/session.ts';
import type { Project } from '../../api/types.ts';
import { useApi } from '../../api/use-api.ts';
import { Button, Card, Checkbox, EmptyState, PageHeader, Table } from '../../components/index.ts';
import { useQueryStates } from '../../navigation/use-query-state.ts';
import { useSort } from '../../navigation/use-sort.ts';
import { ArchiveDialog } from './archive-dialog.tsx';
import { projectColumns } from './project-columns.tsx';
import { ProjectDialog } from './project-dialog.tsx';

/** In the URL: `archived`, and for the dialogs `new` and `edit` (a project's id). */
export default function ProjectsPage(): ReactElement {
  const [query, change] = useQueryStates();
  const hasArchived = query.get('archived') === '1';
  const projects = useApi(
    'listProjects',
    { query: { include_archived: hasArchived ? 'true' : 'false' } },
    { keepPrevious: true },
  );
  const mayManage = useMay('admin');
  const mayCreateKeys = useMay('developer');
  const [archiving, setArchiving] = useState<Project | null>(null);
  const rows = projects.data?.data;
  const edited = rows?.find((project) => String(project.id) === query.get('edit'));
  const columns = projectColumns({
    mayManage,
    mayCreateKeys,
    edit: (project) => change({ edit: String(project.id) }),
    archive: setArchiving,
  });
  const order = useSort({ column: 'name', descending: false });
  return (
    <>
      <PageHeader
        title="Projects"
        description="Projects group API keys and give them shared limits."
        actions={
          mayManage && (
            <Button kind="primary" icon="plus" onClick={() => change({ new: '1' })}>
              Create project
            </Button>
          )
        }
      />
      <Card flush>
        <div className="px-5 py-3">
          <Checkbox
            checked={hasArchived}
            onChange={(checked) => change({ archived: checked ? '1' : null })}
            label="Show archived"
          />
        </div>
        <Table
          label="Projects"
          columns={columns}
          rows={rows}
          rowKey={(project) => project.id}
          {...order}
          error={projects.error}
          retry={() => void projects.refetch()}
          empty={
            <EmptyState icon="projects" title="No projects">
              Every API key belongs to a project, which can set limits for all its keys together.
            </EmptyState>
          }
        />
      </Card>
      {mayManage && query.get('new') === '1' && <ProjectDialog project={null} onClose={() => change({ new: null })} />}
      {mayManage && edited !== undefined && (
        <ProjectDialog key={edited.id} project={edited} onClose={() => change({ edit: null })} />
      )}
      {archiving !== null && <ArchiveDialog project={archiving} onClose={() => setArchiving(null)} />}
    </>
  );
}
