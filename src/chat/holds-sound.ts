/** Whether a request holds sound, for which some formats have no part. */
import type { ChatRequest } from './request.ts';

export function holdsSound({ turns }: Pick<ChatRequest, 'turns'>): boolean {
  return turns.some(({ blocks }) =>
    (blocks as readonly { readonly type: string }[]).some(({ type }) => type === 'audio'),
  );
}
