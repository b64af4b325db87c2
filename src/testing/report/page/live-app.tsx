import { App } from './app.tsx';
import { DISCONNECTED, LiveContext, useEmulator } from './live/live.ts';

/** The live page of a running emulator. */
export function LiveApp() {
  const { data, live } = useEmulator();
  if (data === undefined)
    return (
      <main>
        <p class="placeholder" role="status">
          {live.connection === 'connected' ? 'Loading …' : DISCONNECTED[live.connection]}
        </p>
      </main>
    );
  return (
    <LiveContext.Provider value={live}>
      <App data={data} />
    </LiveContext.Provider>
  );
}
