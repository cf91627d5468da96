import { useState } from 'react';

/** The value, or the last one: content that closes keeps showing it until it is invisible. */
export function useKept<Value>(value: Value | null | undefined): Value | undefined {
  const [kept, setKept] = useState(value ?? undefined);
  if (value !== null && value !== undefined && value !== kept) setKept(value);
  return value ?? kept;
}
