import { type ReactElement, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { useApi } from '../../api/use-api.ts';
import {
  Button,
  Card,
  Combobox,
  EmptyState,
  ErrorState,
  Field,
  NumberInput,
  PageHeader,
  Select,
  Skeleton,
  TagsInput,
  TextInput,
} from '../../components/index.ts';
import { useQueryStates } from '../../navigation/use-query-state.ts';
import { PlanView } from './plan-view.tsx';
import { PreferenceFields } from './preference-fields.tsx';
import { emptyDraft, FORMATS, type PlanBody, planBody, type RouteDraft } from './route-draft.ts';
import { type RouteChoices, useRouteChoices } from './use-choices.ts';

interface Asked {
  readonly key: string;
  readonly body: PlanBody;
}

/** In the address: `project`, `key` (their ids), `model`. With a key and a model the route is shown at once. */
export default function RoutePage(): ReactElement {
  const [query, change] = useQueryStates();
  const [draft, setDraft] = useState(emptyDraft);
  const keyId = query.get('key') ?? '';
  const model = query.get('model') ?? '';
  const choices = useRouteChoices(query.get('project') ?? '', keyId);
  const [asked, setAsked] = useState<Asked | null>(() =>
    keyId === '' || model === '' ? null : { key: keyId, body: planBody(model, emptyDraft) },
  );
  const plan = useApi(
    'planRoute',
    { params: { key: asked?.key ?? '' }, body: asked?.body ?? { model: '' } },
    { enabled: asked !== null, keepPrevious: true },
  );
  const show = (): void => {
    const next = { key: keyId, body: planBody(model, draft) };
    if (JSON.stringify(next) === JSON.stringify(asked)) void plan.refetch();
    else setAsked(next);
  };
  return (
    <>
      <PageHeader
        title="Route"
        description="Which provider would serve a request, in which order others follow, and what it costs at most. Nothing is sent to a provider."
      />
      <div className="flex flex-col gap-6">
        <Card>
          <form
            className="flex flex-col gap-5"
            onSubmit={(event) => {
              event.preventDefault();
              show();
            }}
          >
            <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
              <WhoFields choices={choices} change={change} />
              <ModelField choices={choices} model={model} onChange={(next) => change({ model: next })} />
              <RequestFields choices={choices} draft={draft} change={(more) => setDraft({ ...draft, ...more })} />
            </div>
            <PreferenceFields
              draft={draft}
              change={(more) => setDraft({ ...draft, ...more })}
              providers={choices.providers}
            />
            <div>
              <Button type="submit" kind="primary" loading={plan.isFetching} disabled={keyId === '' || model === ''}>
                Show route
              </Button>
            </div>
          </form>
        </Card>
        <div aria-live="polite" className="flex flex-col gap-6">
          <Outcome choices={choices} asked={asked} plan={plan} />
        </div>
      </div>
    </>
  );
}

interface WhoFieldsProps {
  readonly choices: RouteChoices;
  readonly change: (changes: Readonly<Record<string, string | null>>) => void;
}

function WhoFields({ choices, change }: WhoFieldsProps): ReactElement {
  return (
    <>
      <Field label="Project">
        <Select
          value={choices.project}
          onChange={(project) => change({ project, key: null })}
          options={choices.projects}
        />
      </Field>
      <Field label="API key">
        <Combobox
          value={choices.key === null ? null : String(choices.key.id)}
          onChange={(key) => change({ key })}
          options={choices.keys}
          placeholder="Choose a key"
          none="No matching keys."
        />
      </Field>
    </>
  );
}

interface ModelFieldProps {
  readonly choices: RouteChoices;
  readonly model: string;
  readonly onChange: (model: string | null) => void;
}

function ModelField({ choices: { models }, model, onChange }: ModelFieldProps): ReactElement {
  const isKnown = model === '' || models.some(({ value }) => value === model);
  return (
    <Field label="Model or alias">
      <Combobox
        value={model === '' ? null : model}
        onChange={onChange}
        options={isKnown ? models : [{ value: model, label: model }, ...models]}
        placeholder="Search models"
        none="No matching models."
      />
    </Field>
  );
}

interface RequestFieldsProps {
  readonly choices: RouteChoices;
  readonly draft: RouteDraft;
  readonly change: (changes: Partial<RouteDraft>) => void;
}

function RequestFields({ choices, draft, change }: RequestFieldsProps): ReactElement {
  return (
    <>
      <Field label="Request format">
        <Select value={draft.format} onChange={(format) => change({ format })} options={FORMATS} />
      </Field>
      <Field label="Prompt length">
        <NumberInput
          value={draft.promptCharacters}
          onChange={(promptCharacters) => change({ promptCharacters })}
          unit="characters"
        />
      </Field>
      <Field label="Output cap" hint="Empty: a request without one.">
        <NumberInput value={draft.outputCap} onChange={(outputCap) => change({ outputCap })} unit="tokens" />
      </Field>
      <Field label="Fallback models" hint="Tried after the model, in this order." optional>
        <TagsInput
          value={draft.models}
          onChange={(models) => change({ models })}
          suggestions={choices.models.map(({ value }) => value)}
        />
      </Field>
      <Field label="Conversation ID" hint="As in the header x-session-id." optional>
        <TextInput
          value={draft.conversation}
          onChange={(conversation) => change({ conversation })}
          maxLength={256}
          autoComplete="off"
        />
      </Field>
    </>
  );
}

interface OutcomeProps {
  readonly choices: RouteChoices;
  readonly asked: Asked | null;
  readonly plan: ReturnType<typeof useApi<'planRoute'>>;
}

function Outcome({ choices, asked, plan }: OutcomeProps): ReactElement {
  if (choices.error !== null) return <ErrorState error={choices.error} retry={choices.retry} />;
  if (asked === null)
    return (
      <Card>
        <EmptyState icon="route" title="Choose an API key and a model">
          A model may be served by several providers. The key decides which of them a request may use, and the balance
          and budgets which it can pay.
        </EmptyState>
      </Card>
    );
  if (plan.error !== null)
    return (
      <Card>
        <ErrorState
          error={plan.error}
          title="Could not plan the request"
          {...(isWorthRepeating(plan.error) && { retry: () => void plan.refetch() })}
        />
      </Card>
    );
  if (plan.data === undefined) return <Skeleton className="h-40" />;
  return <PlanView plan={plan.data.data} />;
}

/** What the form has wrong stays wrong. */
function isWorthRepeating(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status >= 429;
}
