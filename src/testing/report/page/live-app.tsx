import { App } from './app.tsx';
import { LiveContext, useEmulator } from './live/live.ts';

/** The live page of a running emulator. */
export function LiveApp() {
  const { data, live } = useEmulator();
  if (data === undefined)
    return (
      <main>
        <p class="placeholder" role="status">
          {live.connection === 'ended'
            ? 'This address has ended. Open the one that the emulator prints now.'
            : live.connection === 'lost'
              ? 'The emulator does not respond. This page tries again.'
              : 'Loading …'}
        </p>
      </main>
    );
  return (
    <LiveContext.Provider value={live}>
      <App data={data} />
    </LiveContext.Provider>
  );
}
