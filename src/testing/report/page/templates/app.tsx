/** Templates while they are written: the list, the email, and the form for its variables. */
import { useEffect, useState } from 'preact/hooks';
import type { TemplateFault, TemplateList, TemplatePreview } from '../../data/template-data.ts';
import { Outcome, useAction } from '../parts/action.tsx';
import { Badge, Split, Tabs, Title, Verbatim, Words, type Tab } from '../parts/parts.tsx';
import { listAfter, previewOf, saveExample } from './ask.ts';
import { FieldOf } from './form.tsx';

type Variables = Readonly<Record<string, unknown>>;

const chosen = () => decodeURIComponent(location.hash.slice(2));

export function TemplatesApp() {
  const [list, setList] = useState<TemplateList>();
  const [isLost, setLost] = useState(false);
  const [folder, setFolder] = useState(chosen);
  useEffect(() => {
    let isOver = false;
    const follow = async (version: number): Promise<void> => {
      try {
        const next = await listAfter(version);
        setLost(false);
        setList(next);
        if (!isOver) await follow(next.version);
      } catch {
        setLost(true);
        setTimeout(() => void (isOver || follow(0)), 1_000);
      }
    };
    void follow(0);
    const choose = () => setFolder(chosen());
    addEventListener('hashchange', choose);
    return () => {
      isOver = true;
      removeEventListener('hashchange', choose);
    };
  }, []);
  const [first] = list?.templates ?? [];
  const current = list?.templates.find((one) => one.folder === folder) ?? (folder === '' ? first : undefined);
  return (
    <>
      <header>
        <h1>{list?.folder ?? 'Templates'}</h1>
        {isLost && (
          <p class="lost" role="alert">
            The command has ended, or does not respond.
          </p>
        )}
      </header>
      <main>
        <Split
          label="Templates"
          back="#/"
          placeholder={list?.templates.length === 0 ? 'There is no template yet.' : 'Choose a template.'}
          list={
            <ol class="rows">
              {(list?.templates ?? []).map(({ folder: own, name, isBroken }) => (
                <li key={own}>
                  <a
                    class="row"
                    href={`#/${encodeURIComponent(own)}`}
                    {...(own === current?.folder && { 'aria-current': 'true' })}
                  >
                    {name} {isBroken && <Badge tone="bad">broken</Badge>}
                    <br />
                    <small>{own}</small>
                  </a>
                </li>
              ))}
            </ol>
          }
          detail={
            list && (
              <>
                <Problems problems={list.problems} />
                {current && <Editor key={current.folder} folder={current.folder} version={list.version} />}
              </>
            )
          }
        />
      </main>
      <footer>
        <span>Changes of files are shown at once.</span>
      </footer>
    </>
  );
}

function Problems({ problems }: { problems: readonly TemplateFault[] }) {
  if (problems.length === 0) return null;
  return (
    <div class="problems" role="alert">
      The last good version is shown.
      <ul>
        {problems.map(({ file, line, message }, at) => (
          <li key={at}>
            <code>
              {file}
              {line !== undefined && `:${line}`}
            </code>{' '}
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Editor({ folder, version }: { folder: string; version: number }) {
  const [preview, setPreview] = useState<TemplatePreview>();
  const [edited, setEdited] = useState<Variables>();
  const [failure, setFailure] = useState('');
  const [tab, setTab] = useState('html');
  const { result, isBusy, run } = useAction();
  useEffect(() => {
    let isOver = false;
    previewOf(folder, edited).then(
      (next) => {
        if (isOver) return;
        setPreview(next);
        setFailure('');
      },
      (error: unknown) => isOver || setFailure((error as Error).message),
    );
    return () => {
      isOver = true;
    };
  }, [folder, version, edited]);
  if (!preview) return <p class="placeholder">{failure}</p>;
  const { subject, missing, unused, findings, form, example, html, text } = preview;
  const save = () =>
    run(async () => {
      await saveExample(folder, example, edited ?? example);
      setEdited(undefined);
      return 'Saved in example.json';
    });
  const tabs: Tab[] = [
    { id: 'html', name: 'HTML', content: () => <Picture preview={preview} /> },
    { id: 'text', name: 'Text', content: () => body(text, 'Text', 'body.txt') },
    { id: 'source', name: 'Source', content: () => body(html, 'HTML source', 'body.html') },
  ];
  return (
    <>
      <Title>{subject}</Title>
      <p class="quiet">{preview.preview}</p>
      {failure !== '' && <p class="bad">{failure}</p>}
      <div class="editor">
        <div>
          <Tabs tabs={tabs} selected={tab} select={setTab} label="The email" />
        </div>
        <div>
          <h2>Checks</h2>
          <ul class="plain" aria-label="Checks">
            {findings.map(({ level, check, message }, at) => (
              <li key={at}>
                <Badge tone={level === 'error' ? 'bad' : 'warn'}>{check}</Badge> <Words text={message} />
              </li>
            ))}
            {missing.length > 0 && <li>Missing: {missing.join(', ')}</li>}
            {unused.length > 0 && <li>Unused: {unused.join(', ')}</li>}
            {findings.length + missing.length + unused.length === 0 && <li>No check found a fault.</li>}
          </ul>
          <h2>Variables</h2>
          <form
            class="form"
            onSubmit={(event) => {
              event.preventDefault();
              save();
            }}
          >
            <FieldOf
              field={{ ...form, isNeeded: true }}
              name="example.json"
              value={edited ?? example}
              set={(value) => setEdited(value as Variables)}
            />
            <button class="beside" disabled={isBusy || edited === undefined}>
              Save example.json
            </button>
            <Outcome result={result} />
          </form>
        </div>
      </div>
    </>
  );
}

const body = (text: string | null, label: string, file: string) =>
  text === null ? <p class="placeholder">It has no {file}.</p> : <Verbatim text={text} label={label} />;

function Picture({ preview: { id, html, subject } }: { preview: TemplatePreview }) {
  const [isPhone, setPhone] = useState(false);
  const [isDark, setDark] = useState(false);
  if (html === null) return body(html, 'HTML', 'body.html');
  const choice = (name: string, isOn: boolean, choose: () => void) => (
    <button type="button" aria-pressed={isOn} onClick={choose}>
      {name}
    </button>
  );
  return (
    <>
      <div class="tools" role="group" aria-label="Width and colours">
        {choice('Desktop', !isPhone, () => setPhone(false))}
        {choice('Phone', isPhone, () => setPhone(true))}
        {choice('Light', !isDark, () => setDark(false))}
        {choice('Dark', isDark, () => setDark(true))}
      </div>
      <div class="stage" tabIndex={0} role="region" aria-label="The mail">
        <iframe
          class={`${isPhone ? 'phone' : 'desktop'}${isDark ? ' dark' : ''}`}
          title={`HTML of ${subject}`}
          sandbox=""
          referrerpolicy="no-referrer"
          src={`html/${id}`}
        />
      </div>
    </>
  );
}
