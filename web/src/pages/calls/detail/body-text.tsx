import { type ReactElement, useMemo, useState } from 'react';
import { CodeBlock } from '../../../components/index.ts';
import { Segments } from '../segments.tsx';
import { answerText, prettyJson } from './read-body.ts';

interface BodyTextProps {
  readonly title: string;
  readonly text: string | null;
  readonly isTruncated: boolean;
}

type View = 'text' | 'pretty' | 'raw';
const LABELS: Readonly<Record<View, string>> = { text: 'Text', pretty: 'JSON', raw: 'Raw' };

/** A stored body: raw and, where possible, as indented JSON or as the text of a stream. */
export function BodyText({ title, text, isTruncated }: BodyTextProps): ReactElement {
  const pretty = useMemo(() => (text === null ? null : prettyJson(text)), [text]);
  const words = useMemo(() => (text === null ? null : answerText(text)), [text]);
  const views = (['text', 'pretty', 'raw'] as const).filter(
    (view) => view === 'raw' || (view === 'text' ? words : pretty) !== null,
  );
  const [chosen, setChosen] = useState<View | null>(null);
  const view = chosen ?? views[0] ?? 'raw';
  return (
    <div className="min-w-0">
      <div className="mb-2 flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p className="text-sm font-medium">{title}</p>
        {text !== null && views.length > 1 && (
          <Segments
            label={`View of the ${title.toLowerCase()}`}
            value={view}
            onChange={setChosen}
            options={views.map((value) => ({ value, label: LABELS[value] }))}
          />
        )}
      </div>
      {text === null ? (
        <p className="text-sm text-muted">Nothing was stored.</p>
      ) : (
        <CodeBlock
          code={(view === 'text' ? words : view === 'pretty' ? pretty : text) ?? text}
          wrap
          copyLabel={`Copy ${title.toLowerCase()}`}
        />
      )}
      {isTruncated && <p className="mt-1.5 text-sm text-muted">Truncated: only the beginning was stored.</p>}
    </div>
  );
}
