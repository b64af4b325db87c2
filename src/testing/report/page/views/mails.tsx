import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ReportData, ReportMail } from '../../data/data.ts';
import { counted } from '../parts/format.ts';
import { mailsByKind, type Index } from '../parts/index-of.ts';
import { MailView } from './mail.tsx';
import { NoMail } from './overview.tsx';
import { Badge, Paged, Split, Time } from '../parts/parts.tsx';
import { hashOf } from '../parts/route.ts';

/** The number of mails of a kind that are listed at first. */
const NEWEST = 3;

interface Props {
  readonly data: ReportData;
  readonly mails: readonly ReportMail[];
  readonly index: Index;
  readonly id: string | null;
}

function Row({
  mail,
  isCurrent,
  index,
  reference,
}: {
  mail: ReportMail;
  isCurrent: boolean;
  index: Index;
  reference: number;
}) {
  const findings = index.findings.get(mail.id) ?? [];
  const level = findings.some((finding) => finding.level === 'error')
    ? 'error'
    : findings.length > 0
      ? 'warn'
      : null;
  const last = mail.events.at(-1);
  return (
    <a class="row" data-row href={hashOf('mails', mail.id)} aria-current={isCurrent ? 'true' : undefined}>
      <span class="first">
        <span class="name">{mail.subject === '' ? 'No subject' : mail.subject}</span>
        <Time at={mail.at} reference={reference} />
      </span>
      <span class="second">
        <span class="name" title={mail.to}>
          {mail.fromName ?? mail.from} → {mail.toName ?? mail.to}
        </span>
        {mail.stream !== 'transactional' && <Badge>{mail.stream}</Badge>}
        {last && last.type !== 'delivery' && <Badge>{last.type}</Badge>}
        {level !== null && <Badge tone={level === 'error' ? 'bad' : 'warn'}>{level}</Badge>}
      </span>
      {mail.preview !== '' && (
        <span class="second">
          <span class="name quiet">{mail.preview}</span>
        </span>
      )}
    </a>
  );
}

function Group({
  name,
  detail,
  mails,
  row,
  id,
}: {
  name: string;
  detail: string;
  mails: readonly ReportMail[];
  row: (mail: ReportMail) => JSX.Element;
  id: string | null;
}) {
  const [isOpen, setOpen] = useState(false);
  const isSelectedHidden = mails.findIndex((mail) => mail.id === id) >= NEWEST;
  const isWhole = isOpen || isSelectedHidden;
  return (
    <section>
      <h2 class="group">
        <span class="name">{name}</span> <small>{detail}</small>
      </h2>
      <Paged items={isWhole ? mails : mails.slice(0, NEWEST)} selected={id}>
        {row}
      </Paged>
      {mails.length > NEWEST && (
        <button class="more" type="button" aria-expanded={isWhole} onClick={() => setOpen(!isWhole)}>
          {isWhole ? 'Only the newest' : `All ${counted(mails.length, 'mail')}`}
          <span class="unseen"> of {name}</span>
        </button>
      )}
    </section>
  );
}

export function Mails({ data, mails, index, id }: Props) {
  const [isByKind, setByKind] = useState(true);
  const [tab, setTab] = useState('html');
  if (data.mails.length === 0)
    return (
      <div class="overview">
        <NoMail />
      </div>
    );
  const row = (mail: ReportMail) => (
    <Row mail={mail} isCurrent={mail.id === id} index={index} reference={data.writtenAt} />
  );
  const mail = id === null ? undefined : index.mails.get(id);
  return (
    <Split
      label="Mails"
      back={hashOf('mails')}
      placeholder={id === null ? 'Choose a mail.' : `The report has no mail ${id}.`}
      detail={
        mail && <MailView key={mail.id} mail={mail} data={data} index={index} tab={tab} setTab={setTab} />
      }
      list={
        <>
          <div class="list-head">
            <div role="group" aria-label="Order">
              <button type="button" aria-pressed={isByKind} onClick={() => setByKind(true)}>
                By kind
              </button>
              <button type="button" aria-pressed={!isByKind} onClick={() => setByKind(false)}>
                Newest first
              </button>
            </div>
          </div>
          {mails.length === 0 && <p class="placeholder">No mail fits the search.</p>}
          {isByKind ? (
            mailsByKind(mails, index).map((group) => (
              <Group
                key={group.kind.id}
                name={group.kind.name}
                detail={counted(group.mails.length, 'mail')}
                mails={group.mails}
                row={row}
                id={id}
              />
            ))
          ) : (
            <Paged items={mails} selected={id}>
              {row}
            </Paged>
          )}
        </>
      }
    />
  );
}
