import { type ReactElement, useEffect, useState } from 'react';
import { classNames, Icon } from '../../components/index.ts';
import type { Document, Operation } from './document.ts';
import { OperationDetail } from './operation-detail.tsx';
import { replaceAnchor } from './use-anchor.ts';

export interface OperationRowProps {
  readonly operation: Operation;
  readonly document: Document;
  /** The address names it: then it is open. */
  readonly isAsked: boolean;
}

export function OperationRow({ operation, document, isAsked }: OperationRowProps): ReactElement {
  const { operationId, method, path, summary } = operation;
  const [isOpen, setOpen] = useState(isAsked);
  useEffect(() => {
    if (isAsked) setOpen(true);
  }, [isAsked]);
  const toggle = (): void => {
    if (!isOpen) replaceAnchor(operationId);
    setOpen(!isOpen);
  };
  return (
    <article id={operationId} className="scroll-mt-16">
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? `${operationId}-detail` : undefined}
          onClick={toggle}
          className="flex w-full items-start gap-3 rounded-lg px-4 py-3 text-left hover:bg-sunken"
        >
          <Icon name="right" className={classNames('mt-0.5 text-muted', isOpen && 'rotate-90')} />
          <span className="grid min-w-0 flex-1 gap-x-3 gap-y-0.5 sm:grid-cols-[4rem_minmax(0,1fr)]">
            <span className={classNames('font-mono text-xs leading-5 font-semibold', COLOURS[method])}>{method}</span>
            <span className="min-w-0">
              <span className="block font-mono text-sm break-all">{path}</span>
              {summary !== undefined && <span className="block text-sm text-muted">{summary}</span>}
            </span>
          </span>
        </button>
      </h3>
      {isOpen && (
        <div id={`${operationId}-detail`} className="border-t px-4 pt-4 pb-6 sm:px-6">
          <OperationDetail operation={operation} document={document} />
        </div>
      )}
    </article>
  );
}

const COLOURS: Readonly<Record<string, string>> = {
  GET: 'text-good-text',
  POST: 'text-accent-text',
  PATCH: 'text-warn-text',
  PUT: 'text-warn-text',
  DELETE: 'text-bad-text',
};
