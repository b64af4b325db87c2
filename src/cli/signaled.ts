/** Resolves with the first signal. The second one ends the process at once, whatever it still does. */
export const signaled = (from: Pick<NodeJS.Process, 'on' | 'off'>): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      from.off('SIGINT', end).off('SIGTERM', end);
      resolve();
    };
    from.on('SIGINT', end).on('SIGTERM', end);
  });
