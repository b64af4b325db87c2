/** A response's body that the caller reads: the call lasts until the end of the body. */
import { streamFrom } from '../core/streams.ts';
import type { Call, Wait } from './call.ts';

/**
 * A response's body, which the caller reads after the call has returned. The call lasts until the body's end: its
 * signal and its deadline end the body, and a failed read is an error of the call.
 */
export function streamOfCall(call: Call, body: ReadableStream<unknown>): ReadableStream<unknown> {
  const reader = body.getReader();
  let reading!: Wait<undefined>;
  return streamFrom<unknown>({
    start: (controller) => {
      call.reading();
      call
        .wait<undefined>((wait) => (reading = wait), 'reading its body')
        .then(
          () => call.close(),
          (cause: unknown) => {
            controller.error(call.fail(cause));
            reader.cancel(cause).catch(() => undefined);
          },
        );
    },
    pull: async (controller) => {
      try {
        call.check();
        const { done, value } = await reader.read();
        if (!done) {
          controller.enqueue(value);
          return;
        }
        controller.close();
        reading.resolve(undefined);
      } catch (cause) {
        reading.reject(cause);
      }
    },
    cancel: (reason) => {
      reading.resolve(undefined);
      return reader.cancel(reason);
    },
  });
}
