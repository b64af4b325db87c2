import { useState } from 'preact/hooks';
import type {
  ReportChanges,
  ReportFinding,
  ReportKindChange,
  ReportMail,
  ReportPartChange,
} from '../../data/data.ts';
import { editsOfPart, sharedEdits, type Edit } from '../../data/edits.ts';
import { headlineOf, IGNORED, valuesText } from '../../data/words.ts';
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
  fields: 'Other fields',
  recipients: 'Recipients',
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
          <li key={edit.before + edit.after}>
            <Edited edit={edit} /> in {counted(edit.kinds, 'kind')}
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
            {same.map(({ id, name, values }) => (
              <li key={id}>
                {name} {values.length > 0 && <span class="quiet">{valuesText(values)}</span>}
              </li>
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

const PartChange = ({ change }: { change: ReportPartChange }) => (
  <section>
    <h3>
      {PARTS[change.part]} <span class="quiet">{counted(change.places, 'place')}</span>
    </h3>
    <ul>
      {editsOfPart(change).map((edit, at) => (
        <li key={at}>
          <Edited edit={edit} />
        </li>
      ))}
    </ul>
  </section>
);

const Edited = ({ edit: { before, after } }: { edit: Edit }) => (
  <>
    {before !== '' && <del>{before}</del>}
    {before !== '' && after !== '' && ' → '}
    {after !== '' && <ins>{after}</ins>}
  </>
);

/** An email before and after, as wide as on a desktop and on a phone. */
const Frames = (mails: { before: ReportMail | null; after: ReportMail | null }) => (
  <>
    {(['Desktop', 'Phone'] as const).map((width) => (
      <section key={width}>
        <h3>{width}</h3>
        <div class="frames">
          <div class={width === 'Phone' ? 'both phones' : 'both'}>
            <Frame name="Before" width={width} mail={mails.before} />
            <Frame name="After" width={width} mail={mails.after} />
          </div>
        </div>
      </section>
    ))}
  </>
);

const Frame = ({ name, width, mail }: { name: string; width: string; mail: ReportMail | null }) => (
  <div>
    <p class="quiet">{name}</p>
    {mail?.html == null ? (
      <p class="placeholder">{mail === null ? 'None' : 'Without HTML'}</p>
    ) : (
      <iframe
        title={`${width}, ${name.toLowerCase()}: ${mail.subject}`}
        sandbox=""
        loading="lazy"
        referrerpolicy="no-referrer"
        srcDoc={mailDocument(mail, 'light')}
      />
    )}
  </div>
);

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
