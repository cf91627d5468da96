import type { Sort } from '../components/table.tsx';
import { useQueryState } from './use-query-state.ts';

/** The order of a table, in the address: `sort=-spend` is by spend, highest first. Without it, `fallback`. */
export function useSort(fallback: Sort): { readonly sort: Sort; readonly onSort: (sort: Sort) => void } {
  const [text, setText] = useQueryState('sort');
  const isDescending = text.startsWith('-');
  const asked = { column: isDescending ? text.slice(1) : text, descending: isDescending };
  return {
    sort: text === '' ? fallback : asked,
    onSort: ({ column, descending }) => setText(`${descending ? '-' : ''}${column}`),
  };
}

/** The order in which the API lists events; it has no other. */
export const NEWEST_FIRST: Sort = { column: 'at', descending: true };
