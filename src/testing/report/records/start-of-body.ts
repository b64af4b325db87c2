/** The most bytes kept of the body of a request, or of a response. */
export const MAX_BODY = 64 * 1024;

/** The start of a body, as text. */
export interface Start {
  readonly text: string;
  readonly isCut: boolean;
}

export const startOf = (bytes: Uint8Array): Start => ({
  text: new TextDecoder().decode(bytes.subarray(0, MAX_BODY)),
  isCut: bytes.length > MAX_BODY,
});

/** The start of a handler's stream; `undefined` if it fails. */
export async function startOfStream(body: ReadableStream<Uint8Array>): Promise<Start | undefined> {
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
