import { traced } from './tracing.mjs';

export default {
  /** Says what the channels said. */
  async fetch() {
    try {
      return Response.json(await traced());
    } catch (error) {
      return new Response(String(error?.stack ?? error), { status: 500 });
    }
  },
};
