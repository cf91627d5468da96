/** Short texts that one node posts and all others read within a second; whatever is posted may be lost. */
export interface NoticeBoard {
  readonly name: string;
  /** How often it is read, ms. */
  readonly periodMs: number;
  /** Posts, and returns what others have posted since the last time, oldest first; nothing of before the first time. */
  exchange(sender: string, bodies: readonly string[]): Promise<readonly PostedNotice[]>;
}

export interface PostedNotice {
  readonly sender: string;
  readonly body: string;
}
