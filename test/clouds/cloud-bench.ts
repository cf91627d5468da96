/** For tests: the gateway with one cloud provider, whose service stands on loopback. */
import type { AppParts } from '../../src/app/app.ts';
import { headerOf } from '../support/http-reader.ts';
import { type ConfigFile, type OpenBench, openBenchWith } from '../support/open-gateway.ts';
import { type Exchange, type Script, startScriptedUpstream } from '../support/scripted-upstream.ts';

export const CLAUDE = 'anthropic/claude-sonnet-4-5';
const PRICES = { input: 3, output: 15 };

export interface CloudEntry {
  readonly kind: 'azure' | 'bedrock' | 'vertex';
  /** Model ids → the provider's names. */
  readonly models: Readonly<Record<string, string>>;
  /** Further fields of the entry; a function of the stand-in's origin. */
  readonly fields: (origin: string) => object;
}

export async function openCloud(
  { kind, models, fields }: CloudEntry,
  parts: (origin: string) => Pick<AppParts, 'clock' | 'environment'> = () => ({}),
): Promise<OpenBench> {
  const upstream = await startScriptedUpstream(() => undefined);
  const listed = Object.entries(models).map(([id, name]) => ({
    id,
    upstream: name,
    prices: PRICES,
    outputCap: 64_000,
  }));
  const file: ConfigFile = {
    providers: [{ name: kind, origin: upstream.origin, models: listed, ...fields(upstream.origin) }],
  };
  return openBenchWith(upstream, file, parts(upstream.origin));
}

/** The request's path with its query. */
export function pathOf({ request }: Exchange): string {
  return request.startLine.split(' ')[1] ?? '';
}

export function sentHeader({ request }: Exchange, name: string): string | null {
  return headerOf(request, name);
}

/** Answers calls by the first script whose path matches; tests see what was sent in `exchanges`. */
export function byPath(scripts: readonly (readonly [path: RegExp, script: Script])[]): Script {
  return (exchange) => {
    const found = scripts.find(([path]) => path.test(pathOf(exchange)));
    if (found === undefined) throw new Error(`nothing was scripted for ${pathOf(exchange)}`);
    return found[1](exchange);
  };
}
