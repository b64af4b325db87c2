import { useEffect, useState } from 'preact/hooks';
import type { ReportMail } from '../../../data/data.ts';
import type { Index } from '../../parts/index-of.ts';
import { Field, Outcome, useAction } from '../../widgets/action.tsx';
import { ask, useDetails, type Live } from '../../live/live.ts';
import { named } from '../../parts/format.ts';
import { Facts, Split, Time, Title, Verbatim, When } from '../../widgets/parts.tsx';
import { hashOf } from '../../parts/route.ts';

/** The fields of a received message, as the form begins. */
interface Draft {
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly in_reply_to?: string;
}

const EMPTY: Draft = { to: '', from: 'A reader <reader@example.com>', subject: '' };

/** The reader's reply to a mail. */
function replyTo({ from, replyTo, to, toName, subject, headers }: ReportMail): Draft {
  const [, id] = headers.find(([name]) => name.toLowerCase() === 'message-id') ?? [];
  return {
    to: replyTo?.email ?? from,
    from: named(to, toName),
    subject: /^re:/i.test(subject) ? subject : `Re: ${subject}`,
    ...(id !== undefined && { in_reply_to: id }),
  };
}

/** The form for a reply, once the mail has its headers. */
function Reply({ mail: listed, live }: { mail: ReportMail; live: Live }) {
  const { item, isWhole } = useDetails('mails', listed);
  return isWhole ? <Receive live={live} draft={replyTo(item)} /> : <p class="placeholder">Loading …</p>;
}

/** A form that delivers a message to an inbox of the account. */
function Receive({ live: { inboxes }, draft }: { live: Live; draft: Draft }) {
  const { result, isBusy, run } = useAction();
  const [fields, setFields] = useState(draft);
  const [first = ''] = inboxes;
  const to = fields.to === '' ? first : fields.to;
  const set = (name: keyof Draft) => (event: { readonly currentTarget: HTMLInputElement }) =>
    setFields({ ...fields, [name]: event.currentTarget.value });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const given = Object.fromEntries([...form].filter(([, value]) => value !== ''));
    const { in_reply_to } = draft;
    run(async () => {
      await ask('POST', 'inbound/receive', { ...given, ...(in_reply_to !== undefined && { in_reply_to }) });
      return `Received by ${to}`;
    });
  };
  const addInbox = () =>
    run(async () => {
      const { address } = (await ask('POST', 'inbound/inboxes')) as { address: string };
      setFields({ ...fields, to: address });
      return `Added ${address}`;
    });
  return (
    <section>
      <Title>Receive a message</Title>
      <p class="quiet">
        Delivers a message to an inbox of the account, as if somebody had written it.
        {inboxes.length === 0 && ' There is no inbox yet: add one first.'}
      </p>
      <form class="form" onSubmit={submit}>
        <Field label="To">
          <input name="to" list="inboxes" required autocomplete="off" value={to} onInput={set('to')} />
        </Field>
        <button type="button" class="beside" disabled={isBusy} onClick={addInbox}>
          Add an inbox
        </button>
        <datalist id="inboxes">
          {inboxes.map((address) => (
            <option key={address} value={address} />
          ))}
        </datalist>
        <Field label="From">
          <input name="from" required autocomplete="off" value={fields.from} onInput={set('from')} />
        </Field>
        <Field label="Subject">
          <input name="subject" autocomplete="off" value={fields.subject} onInput={set('subject')} />
        </Field>
        <Field label="Text">
          <textarea name="text" rows={6} />
        </Field>
        <Field label="HTML">
          <textarea name="html" rows={2} />
        </Field>
        <div class="tools">
          <button type="submit" class="main" disabled={isBusy}>
            Receive
          </button>
        </div>
        <Outcome result={result} />
      </form>
    </section>
  );
}

/** The messages that the inboxes of the account have received. */
export function Received({ live, index, id }: { live: Live; index: Index; id: string | null }) {
  const { received } = live;
  const answered = id?.startsWith('re:') === true ? index.mails.get(id.slice('re:'.length)) : undefined;
  const message = received.find((one) => one.id === id);
  // Where there is room, the form stands beside the list until a message is chosen.
  const isNew = id === 'new' || (id === null && matchMedia('(min-width: 860px)').matches);
  useEffect(() => {
    document.querySelector<HTMLTextAreaElement>('.form textarea')?.focus();
  }, [answered?.id]);
  return (
    <Split
      label="Received messages"
      back={id === null ? undefined : hashOf('received')}
      placeholder={id === null ? 'Choose a message, or receive one.' : `There is no message ${id}.`}
      detail={
        message !== undefined ? (
          <article>
            <Title>{message.subject ?? 'No subject'}</Title>
            <Facts
              facts={[
                ['From', message.from],
                ['To', message.to.join(', ')],
                ['Time', <Time at={message.at} />],
              ]}
            />
            <Verbatim text={message.text ?? ''} label="Text of the message" />
          </article>
        ) : answered !== undefined ? (
          <Reply key={answered.id} mail={answered} live={live} />
        ) : (
          isNew && <Receive live={live} draft={EMPTY} />
        )
      }
      list={
        <>
          <div class="list-head">
            <a class="button" href={hashOf('received', 'new')}>
              Receive a message
            </a>
          </div>
          {received.length === 0 && (
            <p class="placeholder">No inbox of the account has received a message yet.</p>
          )}
          <ol class="rows">
            {received.map((one) => (
              <li key={one.id}>
                <a
                  class="row"
                  data-row
                  href={hashOf('received', one.id)}
                  aria-current={one.id === id ? 'true' : undefined}
                >
                  <span class="first">
                    <span class="name">{one.subject ?? 'No subject'}</span>
                    <When item={{ at: one.at, clockAt: one.at }} reference={one.at} />
                  </span>
                  <span class="second">
                    <span class="name">
                      {one.from} → {one.to.join(', ')}
                    </span>
                  </span>
                </a>
              </li>
            ))}
          </ol>
        </>
      }
    />
  );
}
