import type { ReactElement } from 'react';
import type { Answer } from '../../api/client.ts';
import { Badge, ErrorNote, Note } from '../../components/index.ts';
import { formatCount, formatMs } from '../../format/figures.ts';

export interface ConnectionReportProps {
  /** Undefined before a test. */
  readonly report: Answer<'tryProvider'>['data'] | undefined;
  readonly error: unknown;
}

/** The result of a test; announced to screen readers. */
export function ConnectionReport({ report, error }: ConnectionReportProps): ReactElement | null {
  return (
    <div role="status" className="flex flex-col gap-2 empty:hidden">
      {error !== null && error !== undefined ? (
        <ErrorNote error={error} />
      ) : (
        report !== undefined && (
          <>
            <Note tone={report.ok ? 'good' : 'bad'}>{report.ok ? worksIn(report) : failed(report)}</Note>
            {report.credentials.length > 1 && <Credentials credentials={report.credentials} />}
            {report.model_names.length > 0 && <ModelNames names={report.model_names} total={report.models} />}
          </>
        )
      )}
    </div>
  );
}

type Report = Answer<'tryProvider'>['data'];

/** Of a provider with several: each with its result. */
function Credentials({ credentials }: Pick<Report, 'credentials'>): ReactElement {
  return (
    <ul aria-label="Results by credential" className="flex flex-col gap-1 text-sm">
      {credentials.map(({ hint, ok, problem, duration_ms }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a credential is its number, and two may have the same last characters.
        <li key={index} className="flex flex-wrap items-center gap-2">
          <span className="font-mono">{hint === null ? `number ${index + 1}` : `…${hint}`}</span>
          <Badge tone={ok ? 'good' : 'bad'}>{ok ? 'works' : 'failed'}</Badge>
          <span className="text-muted">{ok ? formatMs(duration_ms) : problem}</span>
        </li>
      ))}
    </ul>
  );
}

function worksIn({ models, duration_ms, problem }: Report): string {
  const found = models === null ? '' : ` and lists ${models === 1 ? '1 model' : `${formatCount(models)} models`}`;
  return `Connected in ${formatMs(duration_ms)}${found}.${problem === null ? '' : ` ${problem}`}`;
}

function failed({ problem, status }: Report): string {
  return problem ?? (status === null ? 'Could not connect.' : `The provider returned status ${status}.`);
}

function ModelNames({
  names,
  total,
}: {
  readonly names: readonly string[];
  readonly total: number | null;
}): ReactElement {
  return (
    <details className="rounded border px-3 py-2 text-sm">
      <summary className="rounded">
        Model names at the provider
        {total !== null && total > names.length && ` (first ${names.length})`}
      </summary>
      <ul className="mt-2 max-h-48 overflow-y-auto font-mono text-xs leading-5 break-all text-muted" tabIndex={-1}>
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </details>
  );
}
