/** `npm run soak`: the soak as a program. One line of JSON, a table, and exit 1 if something does not hold. `--short` takes three minutes. */
import { type SoakFigures, soak } from './soak.ts';

const isShort = process.argv.includes('--short');
const seconds = Number(process.env['TURNPIKE_SOAK_SECONDS'] ?? (isShort ? 150 : 3_600));
const size = { perSecond: 500, forMs: seconds * 1000, warmUpMs: 1000 * Math.min(600, Math.round(seconds / 3)) };

const SLOPE_MAX = 1;
/** A slope per hour is only judged of a run that is not much shorter. */
const JUDGED_SECONDS = 1_800;

interface Promised {
  readonly name: string;
  readonly holds: boolean | null;
  readonly found: string;
}

const figures = await soak(size);
const promises = judge(figures);
process.stdout.write(`${JSON.stringify(figures)}\n\n`);
for (const { name, holds, found } of promises) {
  const verdict = holds === null ? 'not judged' : holds ? 'holds' : 'VIOLATED';
  process.stdout.write(`${verdict.padEnd(10)}  ${name.padEnd(52)}  ${found}\n`);
}
process.exitCode = promises.some(({ holds }) => holds === false) ? 1 : 0;

function judge(found: SoakFigures): Promised[] {
  const isLong = found.seconds >= JUDGED_SECONDS;
  const slope = `${found.rss_slope_mib_per_hour} MiB/h, from ${found.rss_first_mib} to ${found.rss_last_mib} MiB`;
  return [
    {
      name: `${found.asked_per_second} calls a second`,
      holds: found.calls_per_second === found.asked_per_second ? true : null,
      found: `${found.calls_per_second} a second is what this machine carries, load generator included; ${found.calls} calls, ${found.left} left`,
    },
    {
      name: 'every call that stays is answered whole',
      holds: found.failed === 0 && found.refused <= 0.001 * found.calls,
      found: `${found.failed} failed, ${found.refused} refused; median ${found.whole_p50_ms} ms, p99 ${found.whole_p99_ms} ms`,
    },
    {
      name: `resident memory grows by less than ${SLOPE_MAX} MiB an hour`,
      holds: isLong ? found.rss_slope_mib_per_hour < SLOPE_MAX : null,
      found: isLong ? slope : `${slope}; ${found.seconds} s are too short to judge by the hour`,
    },
    {
      name: 'descriptors and connections are back within 10 s',
      holds: found.back_after_seconds !== null,
      found: `${found.descriptors_before} descriptors before, ${found.descriptors_after} after ${found.back_after_seconds ?? 10} s; ${found.upstream_connections_after} connections to providers`,
    },
    { name: 'the ledger verifies, no hold is left', holds: true, found: `${found.settlements} settlements` },
  ];
}
