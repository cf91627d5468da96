import { type FormEvent, type ReactElement, useState } from 'react';
import { Button, Field, StatusBadge, TextArea, TextInput } from '../../components/index.ts';
import { basePath } from '../../navigation/base-path.ts';
import { ApiKeyField, useApiKey } from './api-key.tsx';
import { bodyType, type Document, type Operation } from './document.ts';
import type { TryAnswer } from './send-request.ts';
import { needsKey, problemOf, startBody, startValues, tryRequest } from './try-request.ts';
import { useTry } from './use-try.ts';

export interface TryItProps {
  readonly operation: Operation;
  readonly document: Document;
}

/** A form that sends real requests to one route of this gateway. */
export function TryIt({ operation, document }: TryItProps): ReactElement {
  const { key } = useApiKey();
  const [values, setValues] = useState(() => startValues(operation));
  const [body, setBody] = useState(() => startBody(operation, document));
  const [isTold, setTold] = useState(false);
  const { answer, problem, isRunning, send, stop } = useTry();
  const wrong = problemOf(operation, values, key, body);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setTold(true);
    if (wrong === null) send(tryRequest(operation, values, key, body, basePath));
  };
  const changes = operation.method !== 'GET';
  return (
    <form onSubmit={submit} autoComplete="off" className="flex flex-col gap-4 rounded-lg border bg-surface p-4">
      <h4 className="font-semibold">Try it</h4>
      {needsKey(operation) && <ApiKeyField />}
      {(operation.parameters ?? []).map(({ name, in: place, required }) => (
        <Field
          key={`${place} ${name}`}
          label={<code className="font-mono text-sm">{name}</code>}
          optional={required !== true && place !== 'path'}
        >
          <TextInput
            mono
            value={values[name] ?? ''}
            onChange={(value) => setValues((before) => ({ ...before, [name]: value }))}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
      ))}
      {bodyType(operation) !== null && (
        <Field label="Body">
          <TextArea
            mono
            rows={Math.min(14, body.split('\n').length + 1)}
            value={body}
            onChange={setBody}
            spellCheck={false}
          />
        </Field>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button type="submit" kind="primary" loading={isRunning}>
          Send
        </Button>
        {isRunning && (
          <Button icon="close" onClick={stop}>
            Stop
          </Button>
        )}
        {canStream(operation) && (
          <label className="flex items-center gap-2 text-sm">
            <input
              type="checkbox"
              checked={isStreamed(body)}
              onChange={(event) => setBody(withStream(body, event.target.checked))}
            />
            Stream
          </label>
        )}
        <span className="text-sm text-muted">
          {changes
            ? 'Sends a real request, which can change data or cost money.'
            : 'Sends a real request to this gateway.'}
        </span>
      </div>
      {isTold && wrong !== null && (
        <p role="alert" className="text-sm text-bad-text">
          {wrong}
        </p>
      )}
      {(answer !== null || problem !== null) && <Answer answer={answer} problem={problem} />}
    </form>
  );
}

interface AnswerProps {
  readonly answer: TryAnswer | null;
  readonly problem: string | null;
}

function Answer({ answer, problem }: AnswerProps): ReactElement {
  return (
    <section aria-label="Answer" className="flex min-w-0 flex-col gap-2 border-t pt-4">
      <p role="status" className="flex flex-wrap items-center gap-2 text-sm text-muted">
        {answer !== null && <StatusBadge status={answer.status} />}
        {answer !== null && <span className="figures">{Math.round(answer.milliseconds)} ms</span>}
        {answer !== null && !answer.isOver && problem === null && <span>Receiving …</span>}
        {problem !== null && <span className="text-bad-text">{problem}</span>}
      </p>
      {answer !== null && (
        <>
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 font-mono text-xs">
            {answer.headers.map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-muted">{name}</dt>
                <dd className="break-all">{value}</dd>
              </div>
            ))}
          </dl>
          {answer.text !== '' && (
            <pre
              // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
              tabIndex={0}
              className="max-h-96 overflow-auto rounded border bg-sunken p-3 font-mono text-xs leading-5 whitespace-pre-wrap wrap-anywhere outline-offset-[-2px]"
            >
              <code>{readable(answer)}</code>
            </pre>
          )}
          {answer.isCut && <p className="text-sm text-muted">The rest of the answer is not shown.</p>}
        </>
      )}
    </section>
  );
}

/** Formats JSON once the answer is complete. */
function readable({ text, type, isOver, isCut }: TryAnswer): string {
  if (!isOver || isCut || !type.includes('json')) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function canStream({ responses }: Operation): boolean {
  const content = responses['200']?.content ?? {};
  return content['text/event-stream'] !== undefined && content['application/json'] !== undefined;
}

function isStreamed(body: string): boolean {
  return parsed(body)?.['stream'] === true;
}

/** Unchanged if the body is not JSON. */
function withStream(body: string, stream: boolean): string {
  const fields = parsed(body);
  if (fields === null) return body;
  const { stream: _, ...rest } = fields;
  return JSON.stringify(stream ? { ...rest, stream } : rest, null, 2);
}

function parsed(body: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
