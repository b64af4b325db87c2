/** Templates while they are written: the list, the email in each language, and the form for its variables. */
import { useEffect, useState } from 'preact/hooks';
import type {
  ListedTemplate,
  TemplateConflict,
  TemplateFault,
  TemplateList,
  TemplatePreview,
} from '../../data/template-data.ts';
import { Choice, HtmlSource, NoDarkStyles, PHONE, Stage } from '../views/emails/mail-html.tsx';
import { Outcome, useAction } from '../widgets/action.tsx';
import { Mark } from '../widgets/mark.tsx';
import { Badge, Split, Tabs, Title, Verbatim, Words, type Tab } from '../widgets/parts.tsx';
import { listAfter, previewOf, saveExample } from './ask.ts';
import { readRoute } from '../parts/route.ts';
import { FieldOf } from './form.tsx';

type Variables = Readonly<Record<string, unknown>>;

const hashOf = (folder: string) => `#/${encodeURIComponent(folder)}`;
/** The folder in the address; none if the address cannot be decoded. */
const chosen = () => readRoute(`#/mails/${location.hash.slice(2)}`).id ?? '';

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
  const templates = list?.templates ?? [];
  const current =
    templates.find(({ languages }) => languages.some((one) => one.folder === folder)) ??
    (folder === '' ? templates[0] : undefined);
  useEffect(() => {
    document.title = `${current?.name ?? 'Templates'} · ${list?.folder ?? ''}`;
  }, [current?.name, list?.folder]);
  return (
    <>
      <header>
        <Mark />
        <h1>{list?.folder ?? 'Templates'}</h1>
        {isLost && (
          <p class="lost" role="alert">
            The command has ended, or does not respond. This page tries again.
          </p>
        )}
      </header>
      <main tabIndex={-1}>
        <Split
          label="Templates"
          back="#/"
          placeholder={templates.length === 0 ? 'There is no template yet.' : 'Choose a template.'}
          list={
            <ol class="rows">
              {templates.map(({ folder: own, name, languages, problems }) => (
                <li key={own}>
                  <a
                    class="row"
                    href={hashOf(own)}
                    {...(own === current?.folder && { 'aria-current': 'true' })}
                  >
                    {name} {problems.length > 0 && <Badge tone="bad">broken</Badge>}
                    <small class={problems.length > 0 ? 'second bad' : 'second'}>
                      {problems[0]?.message ??
                        [own, ...languages.flatMap(({ locale }) => locale ?? [])]
                          .filter((one) => one !== name)
                          .join(' ')}
                    </small>
                  </a>
                </li>
              ))}
            </ol>
          }
          detail={
            list &&
            (current !== undefined || list.problems.length > 0) && (
              <>
                <Problems problems={list.problems} />
                {current && <Problems problems={current.problems} note="The last good version is shown." />}
                {current && (
                  <Editor
                    key={current.folder}
                    template={current}
                    folder={folder === '' ? current.folder : folder}
                    version={list.version}
                  />
                )}
              </>
            )
          }
        />
      </main>
      <footer>
        <span>Each save of a file is shown at once.</span>
      </footer>
    </>
  );
}

function Problems({ problems, note }: { problems: readonly TemplateFault[]; note?: string }) {
  if (problems.length === 0) return null;
  return (
    <div class="problems" role="alert">
      {note}
      <ul>
        {problems.map(({ file, line, column, message }, at) => (
          <li key={at}>
            <code>{[file, line, column].filter((one) => one !== undefined).join(':')}</code> {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The languages of a template, as links. */
const Languages = ({ template, folder }: { template: ListedTemplate; folder: string }) => (
  <nav class="tools" aria-label="Languages">
    {template.languages.map((one) => (
      <a
        key={one.folder}
        class="button"
        href={hashOf(one.folder)}
        aria-current={one.folder === folder ? 'page' : undefined}
      >
        {one.locale}
      </a>
    ))}
  </nav>
);

interface EditorProps {
  readonly template: ListedTemplate;
  /** The folder of the chosen language. */
  readonly folder: string;
  readonly version: number;
}

function Editor({ template, folder, version }: EditorProps) {
  const [preview, setPreview] = useState<TemplatePreview>();
  const [edited, setEdited] = useState<{ readonly before: Variables; readonly now: Variables }>();
  const [failure, setFailure] = useState('');
  const [conflict, setConflict] = useState<TemplateConflict>();
  const [tab, setTab] = useState('html');
  const { result, isBusy, run } = useAction();
  useEffect(() => {
    let isOver = false;
    previewOf(folder, edited?.now).then(
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
  const { subject, missing, unused, findings, misfits, form, example, html, text, taken } = preview;
  const { before, now } = edited ?? { before: example, now: example };
  const save = () =>
    run(async () => {
      const other = await saveExample(folder, conflict?.example ?? before, now);
      setConflict(other);
      if (other) throw new Error(other.error);
      setPreview(await previewOf(folder, undefined));
      setEdited(undefined);
      return 'Saved in example.json';
    });
  const tabs: Tab[] = [
    { id: 'html', name: 'HTML', content: () => <Picture preview={preview} /> },
    {
      id: 'text',
      name: 'Text',
      content: () => (text === null ? <Lacking file="body.txt" /> : <Verbatim text={text} label="Text" />),
    },
    {
      id: 'markup',
      name: 'HTML source',
      content: () => (html === null ? <Lacking file="body.html" /> : <HtmlSource html={html} />),
    },
  ];
  return (
    <>
      {template.languages.length > 1 && <Languages template={template} folder={folder} />}
      <Title>{subject}</Title>
      <p class="quiet name">{preview.preview}</p>
      <button type="button" class="back" onClick={toVariables}>
        Variables
      </button>
      {taken.length > 0 && <p class="quiet">From other languages: {taken.join(', ')}</p>}
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
            {findings.length + missing.length + unused.length === 0 && <li>No findings.</li>}
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
              value={now}
              set={(value) => setEdited({ before, now: value as Variables })}
            />
            {edited !== undefined && misfits.length > 0 && <p class="bad">{misfits.join('; ')}</p>}
            <button class="beside" disabled={isBusy || edited === undefined}>
              Save example.json
            </button>
            <Outcome result={result} />
          </form>
          {conflict && (
            <>
              <h3>In the file</h3>
              <Verbatim text={conflict.text ?? 'There is no file.'} label="In the file" />
              <h3>In the form</h3>
              <Verbatim text={JSON.stringify(now, null, 2)} label="In the form" />
            </>
          )}
        </div>
      </div>
    </>
  );
}

const toVariables = () => document.querySelector<HTMLElement>('.form input')?.focus();

const Lacking = ({ file }: { file: string }) => <p class="placeholder">It has no {file}.</p>;

function Picture({ preview: { id, html, subject } }: { preview: TemplatePreview }) {
  const [isPhone, setPhone] = useState(() => innerWidth < 700);
  const [isDark, setDark] = useState(false);
  if (html === null) return <Lacking file="body.html" />;
  const scheme = isDark ? 'dark' : 'light';
  return (
    <>
      <div class="tools">
        <Choice label="Width" names={['Desktop', 'Phone']} isSecond={isPhone} choose={setPhone} />
        <Choice label="Scheme" names={['Light', 'Dark']} isSecond={isDark} choose={setDark} />
        {isDark && <NoDarkStyles html={html} />}
        {isPhone && <span class="quiet size">{PHONE} px</span>}
      </div>
      <Stage
        key={`${id} ${scheme}`}
        html={html}
        label="The email"
        title={`HTML of ${subject}`}
        width={isPhone ? 'phone' : 'desktop'}
        scheme={scheme}
        source={{ src: `html/${id}?scheme=${scheme}` }}
      />
    </>
  );
}
