/**
 * Providers repeat what they were sent: "Incorrect API key provided: …". What they say of a request
 * goes to the caller as it is, so it is searched for the credential first.
 */
export type EchoTest = (bytes: Buffer) => boolean;

/** Shorter values are no credentials, and would be found by chance. */
const LENGTH_MIN = 6;
const CREDENTIAL_HEADERS = ['authorization', 'x-api-key'];

/** `headers`: the signed ones of a request, names in lower case. The test is for errors: it reads all bytes. */
export function echoTest(headers: Readonly<Record<string, string>>): EchoTest {
  return (bytes) =>
    CREDENTIAL_HEADERS.some((name) => {
      const credential = headers[name]?.replace(/^\S+ /, '') ?? '';
      return credential.length >= LENGTH_MIN && bytes.includes(credential);
    });
}
