import { useApi } from '../../api/use-api.ts';
import { MODEL_FALLBACK } from './connection.ts';

/** The model of the snippets: the one that is asked for, else the one that the server proposes. */
export function useModelToTry(asked = ''): string {
  const checklist = useApi('readChecklist', {}, { enabled: asked === '', staleTime: 60_000 });
  return asked !== '' ? asked : (checklist.data?.data.model ?? MODEL_FALLBACK);
}
