import { useMemo, useState } from 'preact/hooks';
import type { ReportData, ReportMail } from '../../data/data.ts';
import { bytes, count, counted, duration, named } from '../parts/format.ts';
import type { Index } from '../parts/index-of.ts';
import { useDetails, useLive } from '../live/live.ts';
import { isSafeLink, mailDocument } from '../parts/mail-document.ts';
import { Badge, Copy, Facts, Pairs, Tabs, Time, Title, Verbatim, Words, type Tab } from '../parts/parts.tsx';
import { hashOf } from '../parts/route.ts';

/** The most characters of HTML that are shown without a click. A browser needs seconds to show more. */
const AT_ONCE = 1_000_000;

function Html({ mail, showLinks }: { mail: ReportMail; showLinks: () => void }) {
  const [isPhone, setPhone] = useState(() => innerWidth < 700);
  const [isWanted, setWanted] = useState((mail.html?.length ?? 0) <= AT_ONCE);
  const live = useLive();
  const document = useMemo(() => (isWanted && !live ? mailDocument(mail) : ''), [mail, isWanted]);
  if (mail.html === null) return <p class="placeholder">This mail has no HTML.</p>;
  if (!isWanted)
    return (
      <p class="placeholder">
        This mail has {bytes(mail.html.length)} of HTML.{' '}
        <button type="button" onClick={() => setWanted(true)}>
          Show it
        </button>
      </p>
    );
  return (
    <>
      <div class="tools" role="group" aria-label="Width">
        <button type="button" aria-pressed={!isPhone} onClick={() => setPhone(false)}>
          Desktop
        </button>
        <button type="button" aria-pressed={isPhone} onClick={() => setPhone(true)}>
          Phone
        </button>
        <span class="quiet">{bytes(new TextEncoder().encode(mail.html).length)} of HTML</span>
        {mail.links.length > 0 && (
          <span class="quiet">
            Links open nothing here.{' '}
            <button type="button" onClick={showLinks}>
              List the links
            </button>
          </span>
        )}
      </div>
      <div class="stage" tabIndex={0} role="region" aria-label="The mail">
        <iframe
          class={isPhone ? 'phone' : 'desktop'}
          title={`HTML of ${mail.subject}`}
          sandbox=""
          referrerpolicy="no-referrer"
          {...(live ? { src: `live/mails/${encodeURIComponent(mail.id)}/html` } : { srcDoc: document })}
        />
      </div>
    </>
  );
}

function Links({ mail }: { mail: ReportMail }) {
  if (mail.links.length === 0) return <p class="placeholder">This mail has no links.</p>;
  return (
    <ol class="links">
      {mail.links.map(({ url, text }, at) => (
        <li key={at}>
          <span>{text === '' ? 'No text' : text}</span>
          {isSafeLink(url) ? (
            <a href={url} target="_blank" rel="noreferrer noopener">
              {url}
            </a>
          ) : (
            <code>{url === '' ? 'empty' : url}</code>
          )}
          <Copy text={url} label="Copy" />
        </li>
      ))}
    </ol>
  );
}

/** Saves an attachment. The type `application/octet-stream` makes the browser save the content instead of opening it. */
function save({ filename, content }: ReportMail['attachments'][number]): void {
  const data = Uint8Array.from(atob(content ?? ''), (character) => character.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([data], { type: 'application/octet-stream' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: filename });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

const Attachments = ({ mail }: { mail: ReportMail }) =>
  mail.attachments.length === 0 ? (
    <p class="placeholder">This mail has no attachments.</p>
  ) : (
    <ul class="links">
      {mail.attachments.map((attachment, at) => (
        <li key={at}>
          <strong>{attachment.filename}</strong>
          <span class="quiet">
            {attachment.type}, {bytes(attachment.bytes)}
            {attachment.inline && ', inline'}
          </span>
          {attachment.content === null ? (
            <span class="quiet">The content was not kept.</span>
          ) : (
            <button type="button" onClick={() => save(attachment)}>
              Save
            </button>
          )}
        </li>
      ))}
    </ul>
  );

function Timeline({ mail }: { mail: ReportMail }) {
  return (
    <ol class="timeline" aria-label="Timeline">
      <li>
        <strong>accepted</strong> <Time at={mail.clockAt} reference={mail.at} />
      </li>
      {mail.events.map(({ type, at }, index) => (
        <li key={index} class={/bounce|reject|spam|soft/.test(type) ? 'bad' : undefined}>
          <strong>{type}</strong>{' '}
          <span title={new Date(at).toLocaleString()}>+{duration(at - mail.clockAt)}</span>
        </li>
      ))}
    </ol>
  );
}

interface Props {
  readonly mail: ReportMail;
  readonly data: ReportData;
  readonly index: Index;
  readonly tab: string;
  readonly setTab: (tab: string) => void;
}

export function MailView({ mail: listed, data, index, tab, setTab }: Props) {
  const { item: mail, isWhole } = useDetails('mails', listed);
  const kind = index.kinds.get(mail.kind);
  const findings = index.findings.get(mail.id) ?? [];
  const request = mail.request === null ? undefined : index.requests.get(mail.request);
  const { template } = mail;
  const names = (list: readonly string[]) => list.map((name) => `{{${name}}}`).join(', ');
  const text = mail.text ?? '';
  const tabs: readonly Tab[] = [
    { id: 'html', name: 'HTML', content: () => <Html mail={mail} showLinks={() => setTab('links')} /> },
    {
      id: 'text',
      name: 'Text',
      content: () =>
        mail.text === null ? (
          <p class="placeholder">This mail has no text part.</p>
        ) : (
          <Verbatim text={text} label="Text of the mail" />
        ),
    },
    { id: 'links', name: 'Links', count: mail.links.length, content: () => <Links mail={mail} /> },
    { id: 'headers', name: 'Headers', content: () => <Pairs pairs={mail.headers} /> },
    {
      id: 'source',
      name: 'Source',
      content: () =>
        mail.source === null ? (
          <p class="placeholder">The source was not kept.</p>
        ) : (
          <Verbatim text={mail.source} label="Source of the mail" />
        ),
    },
    {
      id: 'attachments',
      name: 'Attachments',
      count: mail.attachments.length,
      content: () => <Attachments mail={mail} />,
    },
  ];
  return (
    <article>
      <Title>{mail.subject === '' ? 'No subject' : mail.subject}</Title>
      <Facts
        facts={[
          ['From', named(mail.from, mail.fromName)],
          [
            mail.field === 'to' ? 'To' : mail.field === 'cc' ? 'To (cc)' : 'To (bcc)',
            named(mail.to, mail.toName),
          ],
          mail.replyTo !== null && ['Answers to', named(mail.replyTo.email, mail.replyTo.name)],
          ['Accepted', <Time at={mail.at} />],
          Math.abs(mail.clockAt - mail.at) >= 1_000 && ['Emulator’s clock', <Time at={mail.clockAt} />],
          kind !== undefined && [
            'Kind',
            <>
              {kind.name}{' '}
              <span class="quiet">
                by {kind.by}, {count(kind.count)} sent
              </span>
            </>,
          ],
          mail.stream !== 'transactional' && ['Stream', mail.stream],
          template !== null && ['Template', template.name],
          template !== null && template.missing.length > 0 && ['Empty variables', names(template.missing)],
          template !== null && template.unused.length > 0 && ['Unused variables', names(template.unused)],
          mail.category !== null && ['Category', mail.category],
          typeof mail.spamScore === 'number' && ['Spam score', count(mail.spamScore)],
          typeof mail.htmlErrors === 'number' && ['HTML analysis', counted(mail.htmlErrors, 'error')],
          request !== undefined && [
            'Sent by',
            <>
              <a href={hashOf('requests', request.id)}>
                {request.operation ?? `${request.method} ${request.path}`}
              </a>
              {request.callId !== null && <span class="quiet"> call {request.callId}</span>}
            </>,
          ],
        ]}
      />
      {data.source === 'emulator' && <Timeline mail={mail} />}
      {findings.length > 0 && (
        <ul class="findings">
          {findings.map((finding, at) => (
            <li class="finding" key={at}>
              <Badge tone={finding.level === 'error' ? 'bad' : 'warn'}>{finding.level}</Badge>
              <p>
                <Words text={finding.message} /> <span class="quiet">check: {finding.check}</span>
              </p>
            </li>
          ))}
        </ul>
      )}
      {isWhole ? (
        <Tabs
          label="Parts of the mail"
          tabs={tabs}
          selected={tab === 'html' && mail.html === null ? 'text' : tab}
          select={setTab}
        />
      ) : (
        <p class="placeholder">Loading …</p>
      )}
    </article>
  );
}
