import { useRef } from 'preact/hooks';
import { Outcome, useAction } from '../widgets/action.tsx';
import { ask } from '../live/live.ts';

/** Restores the initial state, after a confirmation. */
export function Reset() {
  const dialog = useRef<HTMLDialogElement>(null);
  const { result, run } = useAction();
  const reset = () => {
    dialog.current?.close();
    run(async () => {
      await ask('POST', 'reset');
      return 'The emulator is as it began.';
    });
  };
  return (
    <section>
      <h2>Reset</h2>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        Reset the emulator …
      </button>
      <dialog ref={dialog} aria-labelledby="reset-question">
        <h2 id="reset-question">Reset the emulator?</h2>
        <p>
          The clock and the state go back to the start, and planned failures are removed. Emails and requests
          stay listed.
        </p>
        <div class="tools">
          <button type="button" onClick={reset}>
            Reset
          </button>
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
        </div>
      </dialog>
      <Outcome result={result} />
    </section>
  );
}
