/** Days of a time zone as UTC hours, by which sums are stored. */
import { GatewayError } from '../../../core/errors.ts';

const HOUR_MS = 3_600_000;

/**
 * The start of each day that overlaps a time range, in hours since 1970 UTC, and the end of the last one. If midnight in the zone is not a
 * whole hour in UTC, a day begins with the hour that contains it. Zones are those of the time zone database
 * (https://www.iana.org/time-zones). Throws `GatewayError` `invalid_value` for an unknown zone.
 */
export function zoneDays(timeZone: string, fromMs: number, toMs: number): number[] {
  let day = dateIn(timeZone, fromMs);
  const hours: number[] = [];
  for (;;) {
    const startMs = day.toZonedDateTime(timeZone).epochMilliseconds;
    const hour = Math.floor(startMs / HOUR_MS);
    // A zone that crosses the date line skips a day.
    if (hour > (hours.at(-1) ?? Number.NEGATIVE_INFINITY)) hours.push(hour);
    if (startMs >= toMs) return hours;
    day = day.add({ days: 1 });
  }
}

/** Whether days in a zone are the same as in UTC. Throws `GatewayError` `invalid_value` for an unknown zone. */
export function isUtc(timeZone: string): boolean {
  return UTC.has(dateIn(timeZone, 0).toZonedDateTime(timeZone).timeZoneId);
}

const UTC: ReadonlySet<string> = new Set(['UTC', 'Etc/UTC', 'GMT', 'Etc/GMT']);

function dateIn(timeZone: string, ms: number): Temporal.PlainDate {
  checkZone(timeZone);
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate();
}

/** Throws `GatewayError` `invalid_value` for an unknown zone. `Temporal` would also accept a timestamp and use its zone. */
export function checkZone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new GatewayError('invalid_value', {
      message: 'The time zone is unknown; use a name like Europe/Berlin.',
      param: 'time_zone',
    });
  }
}
