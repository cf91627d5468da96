/**
 * A gateway with the fault backend in every lane, on a clock that the test moves: one call meets a fault, and what its caller got and what
 * the ledger says come back.
 */
import { ManualClock } from '../../src/core/clock.ts';
import { errorTable } from '../../src/core/errors.ts';
import type { SettledCall } from '../prove/support/ledger-file.ts';
import { asked, byModelName, startFaultBackend } from './fault-backend.ts';
import { faultScript } from './fault-scripts.ts';
import { type AnyLane, laneProviders, laneRequest } from './ledger-bench.ts';
import { type LedgerOutcome, LedgerWatch, outcomeOf } from './ledger-outcome.ts';
import { type ConfigFile, endsProperly, type OpenGateway, openGateway } from './open-gateway.ts';
import type { Script, ScriptedUpstream } from './scripted-upstream.ts';

/** What a caller got. */
export interface Given {
  readonly lane: AnyLane;
  readonly streamed: boolean;
  readonly response: Response;
  readonly text: string;
  /** Our code, of the last error in the answer; null for the provider's own words, or a good answer. */
  readonly code: string | null;
  /** Whether the answer is good and complete. */
  readonly isWhole: boolean;
  readonly tookMs: number;
}

/** And what the ledger says about it. */
export interface Suffered extends Given {
  /** Null if nothing was held. */
  readonly settled: SettledCall | null;
  readonly ledger: LedgerOutcome;
}

export interface FaultBench extends OpenGateway {
  readonly clock: ManualClock;
  readonly upstream: ScriptedUpstream;
  readonly ledger: LedgerWatch;
  /** The provider fails like this from now on, in the format of each request: a fault's name, or a script. */
  play(fault: string | Script): void;
  /** One call, from its request to its last byte. */
  call(lane: AnyLane, streamed: boolean, headers?: Readonly<Record<string, string>>): Promise<Given>;
  /** The same, settled; the gateway has forgotten earlier failures of its providers. */
  suffer(lane: AnyLane, streamed: boolean): Promise<Suffered>;
}

export const OUTPUT_CAP = 1_000;
/** Longer than any provider rests, and than failures are remembered. */
const FORGOTTEN_AFTER_MS = 31_000;

export interface FaultBenchOptions {
  /** Besides providers. */
  readonly file?: ConfigFile;
  /** The origins of the providers that serve every lane, in the order in which they are tried; default: the fault backend. */
  readonly origins?: (backend: string) => readonly string[];
}

export async function openFaultBench({
  file = {},
  origins = (own) => [own],
}: FaultBenchOptions = {}): Promise<FaultBench> {
  const clock = new ManualClock();
  const upstream = await startFaultBackend(clock);
  const gateway = await openGateway(
    { providers: origins(upstream.origin).flatMap(numberedLaneProviders), ...file },
    { clock },
  );
  // Every model's tokenizer counts words.
  for (const model of gateway.app.gateway.catalog.all())
    for (const target of model.targets) Object.assign(target, { tokenizer: 'words' });
  const ledger = new LedgerWatch(gateway);
  // Some code takes 0 for "never".
  clock.advance(1_000);

  const call: FaultBench['call'] = async (lane, streamed, headers = {}) => {
    const { path, body } = laneRequest(lane.dialect, lane.model, streamed, OUTPUT_CAP);
    const startedAt = performance.now();
    const response = await gateway.post(path, body, headers);
    const text = await response.text();
    return { lane, streamed, response, text, ...read(response, streamed, text), tookMs: performance.now() - startedAt };
  };
  return {
    ...gateway,
    clock,
    upstream,
    ledger,
    play(fault) {
      if (typeof fault !== 'string') return upstream.play(fault);
      upstream.play((exchange) => {
        const { format, streamed } = asked(exchange);
        return faultScript(fault, format, streamed, clock)(exchange);
      });
    },
    call,
    async suffer(lane, streamed) {
      clock.advance(FORGOTTEN_AFTER_MS);
      const given = await call(lane, streamed);
      const settled = [...(await ledger.settled(1)).values()][0] ?? null;
      return { ...given, settled, ledger: outcomeOf(settled) };
    },
    async close() {
      await ledger.verify();
      await gateway.close();
      await upstream.close();
    },
  };
}

/** The backend answers by model name again. */
export function playGood(bench: FaultBench): void {
  bench.play(byModelName(bench.clock));
}

/** Providers of one origin for every lane; the number makes their names differ from those of another origin. */
function numberedLaneProviders(origin: string, number: number): readonly object[] {
  return laneProviders(origin).map((provider) => ({
    ...provider,
    name: `${(provider as { name: string }).name}-${number + 1}`,
  }));
}

function read({ status }: Response, streamed: boolean, text: string): Pick<Given, 'code' | 'isWhole'> {
  const codes = [...text.matchAll(/"(?:code|error_type)": ?"(\w+)"/g)].map(([, code = '']) => code);
  const code = codes.findLast((each) => Object.hasOwn(errorTable, each)) ?? null;
  const hasError = /"error": ?\{|event: error|"response\.failed"/.test(text);
  const isWhole =
    status === 200 && !hasError && (!streamed || endsProperly(text) || text.includes('"response.incomplete"'));
  return { code, isWhole };
}
