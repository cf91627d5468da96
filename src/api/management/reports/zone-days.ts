/** Days of a time zone, as hours of UTC: sums are kept by those. */
import { GatewayError } from '../../../core/errors.ts';

const HOUR_MS = 3_600_000;

/**
 * Hours since 1970 UTC at which the days begin that a time touches, and the one at which the last of them ends. Where a zone's
 * midnight is no whole hour of UTC, a day begins with the hour in which midnight is. Zones are those of the time zone
 * database (https://www.iana.org/time-zones). Throws `GatewayError` `invalid_value` for a zone that there is not.
 */
export function zoneDays(timeZone: string, fromMs: number, toMs: number): number[] {
  let day = dateIn(timeZone, fromMs);
  const hours: number[] = [];
  for (;;) {
    const startMs = day.toZonedDateTime(timeZone).epochMilliseconds;
    const hour = Math.floor(startMs / HOUR_MS);
    // A zone that changes sides of the date line leaves a day out.
    if (hour > (hours.at(-1) ?? Number.NEGATIVE_INFINITY)) hours.push(hour);
    if (startMs >= toMs) return hours;
    day = day.add({ days: 1 });
  }
}

/** Whether days in a zone are those of UTC. Throws `GatewayError` `invalid_value` for a zone that there is not. */
export function isUtc(timeZone: string): boolean {
  return UTC.has(dateIn(timeZone, 0).toZonedDateTime(timeZone).timeZoneId);
}

const UTC: ReadonlySet<string> = new Set(['UTC', 'Etc/UTC', 'GMT', 'Etc/GMT']);

function dateIn(timeZone: string, ms: number): Temporal.PlainDate {
  checkZone(timeZone);
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone).toPlainDate();
}

/** Throws `GatewayError` `invalid_value` for a zone that there is not. Temporal would take a whole time, too, and its zone of that. */
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
