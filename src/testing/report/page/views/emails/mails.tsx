import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { outcome } from '../../../data/outcomes.ts';
import type { ReportData, ReportMail } from '../../../data/data.ts';
import { count, counted, named } from '../../parts/format.ts';
import { failureOf, mailsByKind, othersOf, type Index } from '../../parts/index-of.ts';
import { ask, useLive } from '../../live/live.ts';
import { Outcome, useAction } from '../../widgets/action.tsx';
import { MailView } from './mail.tsx';
import { NoMail } from '../overview.tsx';
import { Badge, Hits, Paged, Split, useFirst, When } from '../../widgets/parts.tsx';
import { useRemembered } from '../../parts/remembered.ts';
import { hashOf } from '../../parts/route.ts';

/** The number of mails of a kind that are listed at first. */
const NEWEST = 3;

interface Props {
  readonly data: ReportData;
  readonly mails: readonly ReportMail[];
  readonly index: Index;
  readonly id: string | null;
}

interface RowProps {
  readonly mail: ReportMail;
  readonly isCurrent: boolean;
  readonly index: Index;
  readonly reference: number;
}

function Row({ mail, isCurrent, index, reference }: RowProps) {
  const findings = index.findings.get(mail.id) ?? [];
  const isError = findings.some(({ level }) => level === 'error');
  const sender = index.senders > 1 ? `${mail.fromName ?? mail.from} → ` : '';
  // A new email costs a changed row, and not a hundred. The live page needs no reference, and a file does not change.
  return useMemo(() => {
    const failure = failureOf(mail);
    const more = othersOf(mail);
    const preview = ownPreviewOf(mail);
    return (
      <a class="row" data-row href={hashOf('mails', mail.id)} aria-current={isCurrent ? 'true' : undefined}>
        <span class="first">
          <span class="name">
            <Hits text={mail.subject === '' ? 'No subject' : mail.subject} />
          </span>
          {mail.attachments.length > 0 && (
            <span class="clip" title={mail.attachments.map(({ filename }) => filename).join(', ')}>
              <Clip />
              <span class="unseen">{counted(mail.attachments.length, 'attachment')}</span>
            </span>
          )}
          <When item={mail} reference={reference} />
        </span>
        <span class="second">
          <span class="name" title={[named(mail.to, mail.toName), ...more].join(', ')}>
            <Hits text={sender + (mail.toName ?? mail.to)} />
            {more.length > 0 && ` +${count(more.length)}`}
          </span>
          {mail.template?.locale !== undefined && <Badge>{mail.template.locale}</Badge>}
          {mail.stream !== 'transactional' && <Badge>{mail.stream}</Badge>}
          {failure && (
            <span title={['Made by the emulator', failure.reason].filter(Boolean).join(': ')}>
              <Badge tone="bad">{outcome(failure.type)}</Badge>
            </span>
          )}
          {findings.length > 0 && (
            <Badge tone={isError ? 'bad' : 'warn'}>{counted(findings.length, 'finding')}</Badge>
          )}
        </span>
        {preview !== '' && (
          <span class="second">
            <span class="name preview">
              <Hits text={preview} />
            </span>
          </span>
        )}
      </a>
    );
  }, [mail, isCurrent, sender, findings.length, isError]);
}

/** The preview after the sender and the subject, with which many emails begin. */
const ownPreviewOf = ({ preview, subject, fromName }: ReportMail) =>
  [fromName, subject, fromName].reduce<string>((rest, known) => {
    if (!known || !`${rest} `.startsWith(`${known} `)) return rest;
    return rest.slice(known.length + 1).replace(/^(?=\p{Ll})/u, '… ');
  }, preview);

const Clip = () => (
  <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden="true">
    <path
      d="M13 7.2 7.6 12.6a3 3 0 0 1-4.2-4.2l5.7-5.7a2 2 0 0 1 2.8 2.8l-5.5 5.5a1 1 0 0 1-1.4-1.4l4.8-4.8"
      fill="none"
      stroke="currentColor"
      stroke-width="1.3"
    />
  </svg>
);

interface GroupProps {
  readonly name: string;
  readonly detail: string;
  readonly mails: readonly ReportMail[];
  readonly row: (mail: ReportMail) => JSX.Element;
  readonly id: string | null;
}

function Group({ name, detail, mails, row, id }: GroupProps) {
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
          {isWhole ? 'Only the newest' : `All ${counted(mails.length, 'email')}`}
          <span class="unseen"> of {name}</span>
        </button>
      )}
    </section>
  );
}

export function Mails({ data, mails, index, id }: Props) {
  const live = useLive();
  const [order, setOrder] = useRemembered<'kinds' | 'newest'>(
    live ? 'order' : 'order-of-files',
    live ? 'newest' : 'kinds',
  );
  const [deleted, setDeleted] = useState<ReportMail>();
  const { result, run } = useAction();
  const pathOf = (one: ReportMail) => `live/mails/${encodeURIComponent(one.id)}`;
  const remove = (one: ReportMail) =>
    run(async () => {
      location.hash = hashOf('mails');
      await ask('DELETE', pathOf(one));
      setDeleted(one);
      return `Deleted “${one.subject}”`;
    });
  const restore = (one: ReportMail) =>
    run(async () => {
      await ask('POST', `${pathOf(one)}/restore`);
      location.hash = hashOf('mails', one.id);
      return '';
    });
  // The next mail that a person opens ends the offer.
  useEffect(() => {
    if (id !== null) setDeleted(undefined);
  }, [id]);
  const newest = useFirst(mails);
  if (data.mails.length === 0 && deleted === undefined)
    return (
      <div class="overview">
        <NoMail />
      </div>
    );
  const isEmpty = mails.length === 0;
  const mail = isEmpty ? undefined : id === null ? newest : index.mails.get(id);
  const row = (one: ReportMail) => (
    <Row mail={one} isCurrent={one.id === mail?.id} index={index} reference={data.writtenAt} />
  );
  const groups = order === 'kinds' ? mailsByKind(mails, index) : [];
  return (
    <Split
      label="Mails"
      back={id === null ? undefined : hashOf('mails')}
      placeholder={isEmpty ? '' : id === null ? 'Choose an email.' : `The report has no email ${id}.`}
      detail={mail && <MailView key={mail.id} mail={mail} data={data} index={index} onDelete={remove} />}
      list={
        <>
          <div class="list-head">
            <div class="choice" role="group" aria-label="Order">
              <button type="button" aria-pressed={order === 'newest'} onClick={() => setOrder('newest')}>
                Newest first
              </button>
              <button type="button" aria-pressed={order === 'kinds'} onClick={() => setOrder('kinds')}>
                By kind
              </button>
            </div>
            {mails.length < data.mails.length && (
              <span>
                {count(mails.length)} of {count(data.mails.length)}
              </span>
            )}
            {data.omitted.mails > 0 && <small>The oldest {count(data.omitted.mails)} are left out.</small>}
          </div>
          {(deleted !== undefined || result.isError) && (
            <div class="undo">
              <Outcome result={result} />
              {deleted && (
                <button type="button" onClick={() => restore(deleted)}>
                  Undo
                </button>
              )}
            </div>
          )}
          {isEmpty && (
            <p class="placeholder">
              {data.mails.length === 0 ? 'No email is left.' : 'No email fits the search.'}
            </p>
          )}
          {order === 'kinds' ? (
            groups.map(({ kind, mails: members }) => (
              <Group
                key={kind.id}
                name={kind.name}
                detail={counted(members.length, 'email')}
                mails={members}
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
