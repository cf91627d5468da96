import type { ReactElement, ReactNode } from 'react';
import { useSession } from '../../api/session.ts';
import type { CatalogModel } from '../../api/types.ts';
import {
  CodeBlock,
  CopyButton,
  Drawer,
  Duration,
  Facts,
  Link,
  LinkButton,
  Note,
  useKept,
} from '../../components/index.ts';
import { formatCount, formatDate } from '../../format/figures.ts';
import { inputPrice, outputPrice } from '../../format/model-prices.ts';
import { formatPrice } from '../../format/money.ts';
import { useConnection } from '../connect/connection.ts';
import { factsOf } from '../connect/model-facts.ts';
import { curlCommand } from '../connect/sdks.ts';
import { PriceHistory } from './price-history.tsx';

export interface ModelDrawerProps {
  readonly model: CatalogModel | undefined;
  readonly onClose: () => void;
}

export function ModelDrawer({ model: chosen, onClose }: ModelDrawerProps): ReactElement {
  const model = useKept(chosen);
  return (
    <Drawer open={chosen !== undefined} onClose={onClose} title={model?.name ?? 'Model'}>
      {model !== undefined && <Detail model={model} />}
    </Drawer>
  );
}

function Detail({ model }: { readonly model: CatalogModel }): ReactElement {
  const connection = { ...useConnection(model.id), facts: factsOf(model) };
  const { user } = useSession();
  return (
    <div className="flex flex-col gap-6">
      <div className="flex items-center gap-2">
        <code className="min-w-0 font-mono text-sm break-all">{model.id}</code>
        <CopyButton text={model.id} label="Copy model ID" size="small" />
      </div>
      {model.retires !== null && (
        <Note tone="warn">The provider ends this model on {formatDate(Date.parse(model.retires))}.</Note>
      )}
      {!model.is_usable && (
        <Note tone="warn">
          This model has no price, so requests for it are rejected. An operator can set a price on its provider.
        </Note>
      )}
      <Part title="Price per million tokens">
        <Facts facts={pricesOf(model)} />
      </Part>
      {user.is_operator && <PriceHistory model={model.id} />}
      <Part title="Capabilities">
        <Facts
          facts={[
            ['Context window', tokens(model.context_length)],
            ['Max output', tokens(model.output_cap)],
            ['Input', model.input_modalities.join(', ') || '–'],
            ['Output', model.output_modalities.join(', ') || '–'],
            ['Released', model.created > 0 ? formatDate(model.created * 1000) : undefined],
          ]}
        />
      </Part>
      <Part title="In this account">
        <Facts
          facts={[
            ['Providers', model.providers.join(', then ')],
            ['Time to first token', <FirstToken key="first" model={model} />],
            [
              'Requests (7 days)',
              model.calls_7d === 0 ? (
                'none'
              ) : (
                <Link key="calls" href={`/calls?model=${encodeURIComponent(model.id)}`}>
                  {formatCount(model.calls_7d)}
                </Link>
              ),
            ],
          ]}
        />
      </Part>
      {model.supported_parameters.length > 0 && (
        <Part title="Supported parameters">
          <ul className="flex flex-wrap gap-1.5">
            {model.supported_parameters.map((parameter) => (
              <li key={parameter} className="rounded-sm bg-sunken px-1.5 py-0.5 font-mono text-xs">
                {parameter}
              </li>
            ))}
          </ul>
        </Part>
      )}
      <Part title="Example request">
        <CodeBlock title="curl" code={curlCommand(connection)} copyLabel="Copy command" />
        <LinkButton className="mt-3" href={`/connect?model=${encodeURIComponent(model.id)}`} icon="connect">
          Connect a tool
        </LinkButton>
      </Part>
    </div>
  );
}

function FirstToken({ model }: { readonly model: CatalogModel }): ReactElement {
  if (model.first_byte_p50_ms === null) return <span className="text-muted">no requests in 7 days</span>;
  return (
    <>
      <Duration ms={model.first_byte_p50_ms} /> <span className="text-muted">median</span>
    </>
  );
}

function pricesOf({ pricing }: CatalogModel): readonly (readonly [string, ReactNode])[] {
  return [
    ['Input', price(inputPrice(pricing))],
    ['Output', price(outputPrice(pricing))],
    ['Image input', pricing.input_image === undefined ? undefined : price(formatPrice(pricing.input_image))],
    ['Image output', pricing.output_image === undefined ? undefined : price(formatPrice(pricing.output_image))],
    ['Audio output', pricing.output_audio === undefined ? undefined : price(formatPrice(pricing.output_audio))],
    ['Cache reads', pricing.cache_read === null ? undefined : price(formatPrice(pricing.cache_read))],
    ['Cache writes', pricing.cache_write === null ? undefined : price(formatPrice(pricing.cache_write))],
  ];
}

function price(text: string): ReactNode {
  return <span className="figures">{text}</span>;
}

function tokens(count: number | null): ReactNode {
  return count === null ? <span className="text-muted">unknown</span> : `${formatCount(count)} tokens`;
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <section>
      <h3 className="mb-2.5 font-semibold">{title}</h3>
      {children}
    </section>
  );
}
