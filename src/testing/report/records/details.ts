/** The headers and bodies of a request, as a report keeps them. */
import { type EngineResponse, linesOf } from '../../service/wire/engine-response.ts';
import { redacted, type SecretValues, shownHeaders } from '../../service/wire/redacted.ts';
import type { SeenDetails } from './seen.ts';

/** The most bytes kept of the body of a request, or of a response. */
const MAX_BODY = 64 * 1024;

/** The start of a body, as text. */
interface Start {
  readonly text: string;
  readonly isCut: boolean;
}

const startOf = (bytes: Uint8Array): Start => ({
  text: new TextDecoder().decode(bytes.subarray(0, MAX_BODY)),
  isCut: bytes.length > MAX_BODY,
});

/** The start of a handler's stream; `undefined` if it fails. */
async function startOfStream(body: ReadableStream<Uint8Array>): Promise<Start | undefined> {
  try {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let text = '';
    let bytes = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { text, isCut: false };
      text += decoder.decode(value.subarray(0, MAX_BODY - bytes), { stream: true });
      bytes += value.length;
      if (bytes > MAX_BODY) {
        reader.cancel().catch(() => undefined);
        return { text, isCut: true };
      }
    }
  } catch {
    return undefined;
  }
}

const READABLE = /json|text|xml|html|rfc822|csv|urlencoded/;

/** The content of an attachment. The report shows it with the mail. With a least length, V8's stack would overflow. */
const FILE = /("content"\s{0,9}:\s{0,9}")([\w+/=\\-]+)"/g;

/** A body without the contents of its attachments, if it is too large to be kept with them. */
function withoutFiles(body: Uint8Array): Uint8Array {
  if (body.length <= MAX_BODY / 16) return body;
  const text = new TextDecoder().decode(body);
  const shown = text.replace(FILE, (whole: string, start: string, { length }: string) =>
    length < 1000 ? whole : `${start}(${length} characters left out)"`,
  );
  return shown === text ? body : new TextEncoder().encode(shown);
}

/** The details of a request, the response to send, and the end of reading the response's body if it is a stream. */
export function detailsOf(
  headers: string,
  given: Uint8Array | undefined,
  response: EngineResponse,
  secrets: SecretValues,
): {
  readonly details: SeenDetails;
  readonly sent: EngineResponse;
  readonly reading?: Promise<void>;
} {
  const shown = (text: string) => redacted(text, (secret) => secrets.add(secret));
  const sentBody = given === undefined || given.length === 0 ? undefined : startOf(withoutFiles(given));
  const details = {
    headers,
    body: sentBody === undefined ? null : shown(sentBody.text),
    bodyCut: sentBody?.isCut ?? false,
    responseHeaders: shownHeaders(linesOf(response)),
    responseBody: null as string | null,
    responseCut: false,
  };
  const keep = (start: Start | undefined) => {
    if (start === undefined) return;
    details.responseBody = shown(start.text);
    details.responseCut = start.isCut;
  };
  const { body } = response;
  if (body === null || !READABLE.test([response.headers['content-type'] ?? ''].flat().join()))
    return { details, sent: response };
  if (typeof body === 'string' || body instanceof Uint8Array) {
    keep(startOf(typeof body === 'string' ? new TextEncoder().encode(body) : body));
    return { details, sent: response };
  }
  // A locked stream cannot be split; the server will refuse to send it, too.
  if (body.locked) return { details, sent: response };
  const [copy, rest] = body.tee();
  return { details, sent: { ...response, body: rest }, reading: startOfStream(copy).then(keep) };
}
