import type { ReasoningOrigin } from '../../../chat/request.ts';

/** What the items of one answer have in common. */
export interface SeenItems {
  /** Whose thoughts they are. */
  readonly thoughtOrigin: ReasoningOrigin;
  sawCall: boolean;
  sawRefusal: boolean;
  /** An id for a call, other than that of any earlier call. */
  callId(wanted: string | null): string;
}
