/** Whether the session ended by itself, for the sign-in page to say so: not in the address, which is stored and shared. */
let ended = false;

export function noteSessionEnd(): void {
  ended = true;
}

export function hasSessionEnded(): boolean {
  return ended;
}

/** The person signed in, or signed out on purpose. */
export function forgetSessionEnd(): void {
  ended = false;
}
