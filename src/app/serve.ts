/** `turnpike serve`: read the configuration, open the app, listen, and drain on a signal. */

import type { FirstRun } from '../accounts/first-run.ts';
import { balanceOf } from '../billing/money-view.ts';
import type { Config } from '../config/config.ts';
import type { ConfigSource } from '../config/config-source.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import { NO_MONEY } from '../core/money.ts';
import { type App, openApp } from './app.ts';
import { greeting } from './greeting.ts';

/**
 * Signals that follow one another so closely are one: a supervisor signals every process of a service
 * (`KillMode=control-group` of systemd), and those in front of this one, npm and the launcher, each pass theirs on.
 */
const ONE_SIGNAL_MS = 1_000;

/**
 * Resolves with the exit code when the server has ended. Rejects when it cannot listen, or a first key cannot be shown; then none
 * was made. `print` resolves once the text is out; `note` tells where it cannot be.
 */
export async function serve(
  config: Config,
  print: (text: string) => Promise<void>,
  note: (text: string) => void,
  configSource: ConfigSource | null = null,
): Promise<number> {
  const app = await openApp(config, { configSource });
  const signals = holdSignals();
  try {
    const { url } = await app.listen();
    const setUpLink = await app.setUpLink();
    // Last, since its secret is shown this once: whatever fails before leaves the first run to the next start.
    const firstRun = await app.begin();
    const credit = firstRun === null ? null : await balanceOf(app.gateway.bank.money, firstRun.account.id);
    // `performance.now()` counts from the start of the process.
    const text = greeting({
      url,
      config,
      app,
      firstRun,
      credit: credit?.balance ?? NO_MONEY,
      readyMs: performance.now(),
      setUpLink,
    });
    await print(text).catch((error: Error) => notShown(firstRun, error, note));
  } catch (error) {
    await app.close();
    throw error;
  }
  await new Promise<void>((resolve, reject) => {
    signals.passTo(
      takeSignals(app, { clock: systemClock, timeouts: config.timeouts }, (drained) => drained.then(resolve, reject)),
    );
  });
  return 0;
}

/** A server needs no reader, but a new key does. */
async function notShown(firstRun: FirstRun | null, cause: Error, note: (text: string) => void): Promise<void> {
  const failed = `standard output could not be written (${cause.message})`;
  if (firstRun === null || !firstRun.isNews) return note(`turnpike: ${failed}; it serves all the same`);
  await firstRun.takeBack().catch(({ message }: Error) => {
    throw new Error(`${failed}, and the first API key not taken back (${message}): make one with \`keys create\``);
  });
  throw new Error(`${failed}, so the first API key could not be shown and was taken back; the next start makes one`);
}

/** Keeps signals until somebody takes them: one that arrives while the first key is made must not end the process before it is printed. */
function holdSignals() {
  const held: NodeJS.Signals[] = [];
  let take = (signal: NodeJS.Signals): void => void held.push(signal);
  const receive = (signal: NodeJS.Signals): void => take(signal);
  process.on('SIGTERM', receive).on('SIGINT', receive);
  return {
    passTo(taker: (signal: NodeJS.Signals) => void): void {
      take = taker;
      held.splice(0).forEach(taker);
    },
  };
}

interface SignalParts {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly timeouts: Pick<Config['timeouts'], 'drainMs' | 'drainDelayMs'>;
}

/**
 * What is to be told of every signal. The first begins the drain, of which `onDrain` is told; one that comes a second or more
 * after it ends what runs at once, each call with an error of its own and a settlement.
 */
export function takeSignals(
  { gateway, drain }: Pick<App, 'gateway' | 'drain'>,
  { clock, timeouts }: SignalParts,
  onDrain: (drained: Promise<void>) => void,
): (signal: NodeJS.Signals) => void {
  let firstMs: number | null = null;
  return (signal) => {
    const { log, running } = gateway;
    if (firstMs === null) {
      firstMs = clock.monotonic();
      log.info({ signal, running: running.count }, 'draining');
      // SIGINT comes from a person at a terminal: no load balancer has to look elsewhere first.
      const graceMs = signal === 'SIGINT' ? 0 : timeouts.drainDelayMs;
      onDrain(drain({ graceMs, deadlineMs: timeouts.drainMs }));
    } else if (clock.monotonic() - firstMs >= ONE_SIGNAL_MS) {
      log.warn({ signal, running: running.count }, 'drain_cut_short');
      running.cutAll();
    }
  };
}
