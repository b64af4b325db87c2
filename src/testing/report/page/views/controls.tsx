import { useRef } from 'preact/hooks';
import { Field, Outcome, useAction } from '../widgets/action.tsx';
import { Faults } from './faults.tsx';
import { ask, type Live } from '../live/live.ts';

/** Saves the whole state of the emulator to a file, and restores it from one. */
function Snapshot() {
  const { result, isBusy, run } = useAction();
  const save = () =>
    run(async () => {
      const text = JSON.stringify(await ask('GET', 'snapshot'));
      const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
      Object.assign(document.createElement('a'), { href: url, download: 'emulator-snapshot.json' }).click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
      return 'Saved. The file has the tokens of the emulator.';
    });
  const restore = (input: HTMLInputElement) => {
    const [file] = input.files ?? [];
    if (file === undefined) return;
    run(async () => {
      await ask('PUT', 'snapshot', await file.text());
      input.value = '';
      return `The emulator has the state of ${file.name}`;
    });
  };
  return (
    <section>
      <h2>Snapshot</h2>
      <p class="quiet">The state of the emulator: all areas, the clock and the limits.</p>
      <div class="tools">
        <button type="button" disabled={isBusy} onClick={save}>
          Save to a file
        </button>
        <Field label="Restore from a file">
          <input
            type="file"
            accept="application/json,.json"
            disabled={isBusy}
            onChange={({ currentTarget }) => restore(currentTarget)}
          />
        </Field>
      </div>
      <Outcome result={result} />
    </section>
  );
}

/** Restores the initial state, after a confirmation. */
function Reset() {
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
          The clock and the state go back to the start, and faults are removed. Emails and requests stay
          listed; “Hide the emails and requests up to now” hides them.
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

export const Controls = ({ live }: { live: Live }) => (
  <div class="overview">
    <Faults faults={live.faults} />
    <section>
      <h2>Lists</h2>
      <p class="quiet">Only this browser hides them. The emulator keeps all.</p>
      <button type="button" onClick={() => live.hide(!live.isHiding)}>
        {live.isHiding ? 'Show the earlier emails and requests' : 'Hide the emails and requests up to now'}
      </button>
    </section>
    <Snapshot />
    <Reset />
  </div>
);
