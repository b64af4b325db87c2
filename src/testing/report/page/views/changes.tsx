import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type {
  ReportChanges,
  ReportFinding,
  ReportKindChange,
  ReportMail,
  ReportMark,
  ReportPartChange,
} from '../../data/data.ts';
import { editText, sharedEdits } from '../../data/edits.ts';
import { headlineOf, IGNORED } from '../../data/words.ts';
import { count, counted } from '../parts/format.ts';
import { mailDocument } from '../parts/mail-document.ts';
import { Badge, Title, Words, type Tone } from '../widgets/parts.tsx';
import './changes.css';

const STATES: Readonly<Record<ReportKindChange['state'], { readonly name: string; readonly tone: Tone }>> = {
  changed: { name: 'changed', tone: 'warn' },
  new: { name: 'new', tone: 'good' },
  gone: { name: 'gone', tone: 'bad' },
  not_compared: { name: 'not compared', tone: 'warn' },
  not_kept: { name: 'not kept', tone: 'quiet' },
  same: { name: 'the same', tone: 'quiet' },
};

const PARTS: Readonly<Record<ReportPartChange['part'], string>> = {
  subject: 'Subject',
  html: 'HTML',
  text: 'Text',
  links: 'Links',
  headers: 'Headers',
  attachments: 'Attachments',
  from: 'Sender',
  category: 'Category',
  template: 'Template',
};

/** The differences between this run and an earlier one. */
export function Changes({ changes }: { changes: ReportChanges }) {
  const { kinds, findings } = changes;
  const same = kinds.filter(({ state }) => state === 'same');
  const isAlone = kinds.filter(({ state }) => state === 'changed').length === 1;
  return (
    <section class="changes" aria-label="Changes">
      <Title>{headlineOf(changes)}</Title>
      <p class="quiet">{IGNORED}</p>
      <ul>
        {sharedEdits(kinds).map((edit) => (
          <li key={editText(edit)}>
            {editText(edit)} in {counted(edit.kinds, 'kind')}
          </li>
        ))}
      </ul>
      {kinds
        .filter(({ state }) => state !== 'same')
        .map((kind) => (
          <Kind key={kind.id} kind={kind} isAlone={isAlone} />
        ))}
      <Findings name="New findings" findings={findings.added} />
      <Findings name="Findings that are gone" findings={findings.gone} />
      {same.length > 0 && (
        <details>
          <summary>{count(same.length)} the same</summary>
          <ul>
            {same.map(({ id, name }) => (
              <li key={id}>{name}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

/** A line for a kind, and its differences where it is open. */
function Kind({ kind, isAlone }: { kind: ReportKindChange; isAlone: boolean }) {
  const { name, state, changes, before, after } = kind;
  const [isOpen, setOpen] = useState(state === 'changed' && isAlone);
  const look = state !== 'changed' || changes.some(({ part }) => part === 'html');
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <Badge tone={STATES[state].tone}>{STATES[state].name}</Badge> <strong>{name}</strong>{' '}
        <span class="quiet">
          {state === 'not_kept'
            ? 'A report counts its emails and has none of them, because of its limits.'
            : state === 'new' && after !== null && after.subject !== name
              ? after.subject
              : changes.map(({ part }) => PARTS[part]).join(', ')}
        </span>
      </summary>
      {isOpen && (
        <>
          {changes.map((change) => (
            <PartChange key={change.part} change={change} />
          ))}
          {look && <Frames before={before} after={after} />}
        </>
      )}
    </details>
  );
}

/** Both sides beside each other, with their names. */
const Both = ({
  name,
  children,
}: {
  name?: string;
  children: (side: 'before' | 'after') => ComponentChildren;
}) => (
  <div class={name === undefined ? 'both' : `both ${name}`}>
    {(['before', 'after'] as const).map((side) => (
      <div key={side}>
        <p class="quiet">{side === 'before' ? 'Before' : 'After'}</p>
        {children(side)}
      </div>
    ))}
  </div>
);

function PartChange({ change }: { change: ReportPartChange }) {
  return (
    <section>
      <h3>
        {PARTS[change.part]} <span class="quiet">{counted(change.places, 'place')}</span>
      </h3>
      <Both>
        {(side) => {
          const text = change[side];
          return text === null ? (
            <p class="placeholder">None</p>
          ) : (
            <pre tabIndex={0} aria-label={`${PARTS[change.part]}, ${side}`}>
              <Marked text={text} marks={change.marks[side]} isAfter={side === 'after'} />
            </pre>
          );
        }}
      </Both>
    </section>
  );
}

/** The characters shown around a differing place. */
const AROUND = 120;

/** A text with its differing places marked. Long passages between them are left out. */
function Marked({ text, marks, isAfter }: { text: string; marks: readonly ReportMark[]; isAfter: boolean }) {
  const parts: ComponentChildren[] = [];
  const same = (from: number, to: number) => {
    const [start, end] = [from === 0 ? 0 : from + AROUND, to === text.length ? to : to - AROUND];
    const isFirst = from === 0 && marks.length > 0;
    const passage = text.slice(from, to);
    if (passage.length <= 4 * AROUND) return passage;
    if (isFirst) return `… ${text.slice(end, to)}`;
    return to === text.length
      ? `${text.slice(from, start)} …`
      : `${text.slice(from, start)} … ${text.slice(end, to)}`;
  };
  let at = 0;
  for (const [from, to] of marks) {
    parts.push(same(at, from));
    const words = text.slice(from, to);
    if (words !== '') parts.push(isAfter ? <ins key={from}>{words}</ins> : <del key={from}>{words}</del>);
    at = to;
  }
  return (
    <>
      {parts}
      {same(at, text.length)}
    </>
  );
}

/** An email before and after, as wide as on a desktop and on a phone. */
function Frames({ before, after }: { before: ReportMail | null; after: ReportMail | null }) {
  const mails = { before, after };
  return (
    <>
      {(['Desktop', 'Phone'] as const).map((width) => (
        <section key={width}>
          <h3>{width}</h3>
          <div class="frames">
            <Both name={width === 'Phone' ? 'phones' : 'desktops'}>
              {(side) => {
                const mail = mails[side];
                return mail?.html == null ? (
                  <p class="placeholder">{mail === null ? 'None' : 'Without HTML'}</p>
                ) : (
                  <iframe
                    title={`${width}, ${side}: ${mail.subject}`}
                    sandbox=""
                    loading="lazy"
                    referrerpolicy="no-referrer"
                    srcDoc={mailDocument(mail, 'light')}
                  />
                );
              }}
            </Both>
          </div>
        </section>
      ))}
    </>
  );
}

const Findings = ({ name, findings }: { name: string; findings: readonly ReportFinding[] }) =>
  findings.length === 0 ? null : (
    <>
      <h3>{name}</h3>
      <ul class="findings">
        {findings.map((finding, at) => (
          <li class="finding" key={at}>
            <Badge tone={finding.level === 'error' ? 'bad' : 'warn'}>{finding.level}</Badge>
            <p>
              <strong>{finding.kind}</strong> <Words text={finding.message} />
            </p>
          </li>
        ))}
      </ul>
    </>
  );
