import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** The result of a button's action: a message of success, or the emulator's error message. */
export interface ActionResult {
  readonly text: string;
  readonly isError: boolean;
}

/** Runs actions and keeps the result of the last one. `isBusy` is true while an action runs. */
export function useAction() {
  const [result, setResult] = useState<ActionResult>({ text: '', isError: false });
  const [isBusy, setBusy] = useState(false);
  const run = (work: () => Promise<string>) => {
    setBusy(true);
    work()
      .then(
        (text) => setResult({ text, isError: false }),
        (error: unknown) =>
          setResult({
            text: error instanceof TypeError ? 'The emulator does not respond' : (error as Error).message,
            isError: true,
          }),
      )
      .finally(() => setBusy(false));
  };
  return { result, isBusy, run };
}

export const Outcome = ({ result: { text, isError } }: { result: ActionResult }) => (
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
