import { smoke } from './smoke.mjs';

export default {
  /** Runs the smoke test with the options in the request's body. */
  async fetch(request) {
    try {
      return new Response(await smoke(await request.json()));
    } catch (error) {
      return new Response(String(error?.stack ?? error), { status: 500 });
    }
  },
};
