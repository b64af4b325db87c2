import guide from './guide.ts';

/** The Worker of the guide; a request may give up before the guide's has answered. */
export default {
  fetch(request, env) {
    const giveUpAfterMs = Number(new URL(request.url).searchParams.get('giveUpAfterMs'));
    const answer = guide.fetch(request, env);
    if (giveUpAfterMs === 0) return answer;
    const gaveUp = new Promise((resolve) =>
      globalThis.setTimeout(resolve, giveUpAfterMs, new Response('gave up')),
    );
    return Promise.race([answer, gaveUp]);
  },
};
