import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** What a button did, for the reader: a text of success, or the refusal in the words of the emulator. */
export interface Said {
  readonly text: string;
  readonly isError: boolean;
}

/** Runs an action, and keeps the last one's outcome. While it runs, it is busy. */
export function useAction() {
  const [said, setSaid] = useState<Said>({ text: '', isError: false });
  const [isBusy, setBusy] = useState(false);
  const run = (work: () => Promise<string>) => {
    setBusy(true);
    work()
      .then(
        (text) => setSaid({ text, isError: false }),
        (error: unknown) =>
          setSaid({
            text: error instanceof TypeError ? 'The emulator does not respond' : (error as Error).message,
            isError: true,
          }),
      )
      .finally(() => setBusy(false));
  };
  return { said, isBusy, run };
}

export const Outcome = ({ said: { text, isError } }: { said: Said }) => (
  <p role="status" class={isError ? 'bad outcome' : 'quiet outcome'}>
    {text}
  </p>
);

/** A field with its label. */
export const Field = ({ label, children }: { label: string; children: ComponentChildren }) => (
  <label class="field">
    <span>{label}</span>
    {children}
  </label>
);
