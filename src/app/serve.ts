/**
 * `turnpike serve`: read the configuration, open the app, listen, drain on a signal, and read the configuration again on SIGHUP. At a
 * terminal SIGHUP says that the terminal is gone, and ends the process as ever.
 */

import { flushCompileCache } from 'node:module';
import type { FirstRun } from '../accounts/first-run.ts';
import { balanceOf } from '../billing/money-view.ts';
import type { Config } from '../config/config.ts';
import type { ConfigSource } from '../config/config-source.ts';
import { type Clock, systemClock } from '../core/clock.ts';
import { NO_MONEY } from '../core/money.ts';
import { type App, openApp } from './app.ts';
import { greeting } from './greeting.ts';
import type { Reread } from './reload.ts';

/**
 * Signals within this time count as one: a supervisor signals every process of a service (systemd's `KillMode=control-group`), and npm and
 * the launcher each forward theirs to this process.
 */
const ONE_SIGNAL_MS = 1_000;

/**
 * Resolves with the exit code when the server has ended. Rejects if it cannot listen, or if the first key cannot be shown and was therefore
 * deleted. `print` resolves once the text is written; `note` prints a warning if it cannot be.
 */
export async function serve(
  config: Config,
  print: (text: string) => Promise<void>,
  note: (text: string) => void,
  configSource: ConfigSource | null = null,
  reread: Reread | null = null,
): Promise<number> {
  const reloads = holdReloads(reread);
  const app = await openApp(config, { configSource });
  // Node keeps compiled code (NODE_COMPILE_CACHE) at an orderly end only: a server that is killed would compile everything again at each start.
  // Before the first call, since the first time it writes a thousand files, which takes a second.
  flushCompileCache();
  const signals = holdSignals();
  try {
    const { url } = await app.listen();
    const setUpLink = await app.setUpLink();
    // Last, because its secret is shown only once: after an earlier failure the next start makes the first run.
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
      takeSignals(app, { clock: systemClock, timeouts: () => app.timeouts }, (drained) =>
        drained.then(resolve, reject),
      ),
    );
    reloads.passTo(app);
  });
  return 0;
}

/** A server works without standard output, but a new key must be shown. */
async function notShown(firstRun: FirstRun | null, cause: Error, note: (text: string) => void): Promise<void> {
  const failed = `standard output could not be written (${cause.message})`;
  if (firstRun === null || !firstRun.isNews) return note(`turnpike: ${failed}; it serves all the same`);
  await firstRun.takeBack().catch(({ message }: Error) => {
    throw new Error(
      `${failed}, and the first API key could not be revoked (${message}): create another with \`keys create\``,
    );
  });
  throw new Error(`${failed}, so the first API key could not be shown and was revoked; the next start creates one`);
}

/**
 * Holds signals until there is a handler: one that arrives while the first key is made must not end the process before the key is printed.
 */
function holdSignals() {
  const held: NodeJS.Signals[] = [];
  let handle = (signal: NodeJS.Signals): void => void held.push(signal);
  const receive = (signal: NodeJS.Signals): void => handle(signal);
  process.on('SIGTERM', receive).on('SIGINT', receive);
  return {
    passTo(handler: (signal: NodeJS.Signals) => void): void {
      handle = handler;
      held.splice(0).forEach(handler);
    },
  };
}

/** Holds SIGHUP until the app serves: one that arrives while it starts would otherwise end the process. */
function holdReloads(reread: Reread | null) {
  let app: Pick<App, 'reload'> | null = null;
  let isHeld = false;
  if (reread !== null && !process.stdin.isTTY)
    process.on('SIGHUP', () => {
      if (app === null) isHeld = true;
      else void app.reload(reread);
    });
  return {
    passTo(opened: Pick<App, 'reload'>): void {
      app = opened;
      if (isHeld && reread !== null) void opened.reload(reread);
    },
  };
}

interface SignalParts {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly timeouts: () => Pick<Config['timeouts'], 'drainMs' | 'drainDelayMs'>;
}

/**
 * Returns a handler for signals. The first signal starts the drain and calls `onDrain`; another one at least a second later cuts all
 * running calls, each with its own error and a settlement.
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
      // SIGINT comes from a person at a terminal: no load balancer needs time to remove this server.
      const { drainMs, drainDelayMs } = timeouts();
      const graceMs = signal === 'SIGINT' ? 0 : drainDelayMs;
      onDrain(drain({ graceMs, deadlineMs: drainMs }));
    } else if (clock.monotonic() - firstMs >= ONE_SIGNAL_MS) {
      log.warn({ signal, running: running.count }, 'drain_cut_short');
      running.cutAll();
    }
  };
}
