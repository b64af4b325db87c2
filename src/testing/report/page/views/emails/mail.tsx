import { useState } from 'preact/hooks';
import { outcome } from '../../../data/outcomes.ts';
import type { ReportData, ReportMail } from '../../../data/data.ts';
import { bytes, count, counted, duration, fullTime, isBadOutcome, named } from '../../parts/format.ts';
import { othersOf, type Index } from '../../parts/index-of.ts';
import { isFailed, type Post } from '../../parts/posts.ts';
import { statusOf } from '../../parts/problems.ts';
import { useDetails, useLive } from '../../live/live.ts';
import { isSafeLink } from '../../parts/mail-document.ts';
import { Languages, languagesOf } from './languages.tsx';
import { Html, HtmlSource } from './mail-html.tsx';
import {
  Badge,
  Copy,
  Facts,
  isWide,
  Pairs,
  Status,
  Tabs,
  Time,
  Title,
  Verbatim,
  Words,
  type Tab,
} from '../../widgets/parts.tsx';
import { hashOf } from '../../parts/route.ts';

/** The most webhook posts that a mail links to. */
const LISTED = 50;

const Links = ({ mail }: { mail: ReportMail }) => (
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

/** Saves bytes. The type `application/octet-stream` makes the browser save the content instead of opening it. */
function save(filename: string, binary: string): void {
  const data = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([data], { type: 'application/octet-stream' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: filename });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

const Attachments = ({ mail }: { mail: ReportMail }) => (
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
          <button type="button" onClick={() => save(attachment.filename, atob(attachment.content ?? ''))}>
            Save
          </button>
        )}
      </li>
    ))}
  </ul>
);

/** The events of a mail, and the posts about it. */
function Course({ mail, posts }: { mail: ReportMail; posts: readonly Post[] }) {
  const failed = posts.filter(isFailed);
  const [first] = posts;
  return (
    <ol class="timeline" aria-label="Timeline">
      <li>accepted</li>
      {mail.events.map(({ type, at, reason }, index) => (
        <li
          key={index}
          class={isBadOutcome(type) ? 'bad' : undefined}
          title={`Made by the emulator, ${fullTime(at)}${reason === undefined ? '' : `: ${reason}`}`}
        >
          {outcome(type)} <span>+{duration(at - mail.clockAt)}</span>
        </li>
      ))}
      {first && (
        <li class={failed.length > 0 ? 'bad' : undefined}>
          <a href={hashOf('service', first.id)}>
            {failed.length > 0
              ? `${counted(failed.length, 'webhook post')} failed: ${statusOf(first.status)}`
              : counted(posts.length, 'webhook post')}
          </a>
        </li>
      )}
    </ol>
  );
}

/** Why an email did not arrive, in the words of the recipient's mail server or of the service. */
function Failures({ mail }: { mail: ReportMail }) {
  const failures = mail.events.filter(({ type, reason }) => isBadOutcome(type) && reason !== undefined);
  if (failures.length === 0) return null;
  return (
    <ul class="failures">
      {failures.map(({ type, at, reason }, index) => (
        <li key={index}>
          {capitalized(outcome(type))}: {reason} <Time at={at} reference={mail.clockAt} />
        </li>
      ))}
    </ul>
  );
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** Everybody in the head of a mail, in one line. A narrow one has the names alone. */
function Head({ mail, reference }: { mail: ReportMail; reference: number }) {
  const more = othersOf(mail);
  const nameOf = isWide() ? named : (email: string, name: string | null) => name ?? email;
  return (
    <p class="head">
      {nameOf(mail.from, mail.fromName)} → {nameOf(mail.to, mail.toName)}
      {more.length > 0 && (
        <span class="quiet" title={more.join(', ')}>
          {' '}
          +{count(more.length)}
        </span>
      )}{' '}
      · <Time at={mail.at} {...(!isWide() && { reference })} />
    </p>
  );
}

const listOf = (all: ReportMail['recipients']['to']) =>
  all.map(({ email, name }) => named(email, name)).join(', ');

/** A name for the file of a mail. */
const fileNameOf = ({ id, subject }: ReportMail) =>
  `${
    subject
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 60) || 'mail'
  }-${id}.eml`;

interface Props {
  readonly mail: ReportMail;
  readonly data: ReportData;
  readonly index: Index;
  readonly onDelete: (mail: ReportMail) => void;
}

export function MailView({ mail: listed, data, index, onDelete }: Props) {
  const [tab, setTab] = useState('html');
  const { item: mail, isWhole } = useDetails('mails', listed);
  const live = useLive();
  const kind = index.kinds.get(mail.kind);
  const findings = index.findings.get(mail.id) ?? [];
  const posts = index.postsOf.get(mail.id) ?? [];
  const request = mail.request === null ? undefined : index.requests.get(mail.request);
  const { template, source } = mail;
  const languages = languagesOf(mail, data.mails);
  const names = (list: readonly string[]) => list.map((name) => `{{${name}}}`).join(', ');
  const tabs: readonly Tab[] = [
    { id: 'html', name: 'HTML', content: () => <Html mail={mail} showLinks={() => setTab('links')} /> },
    {
      id: 'text',
      name: 'Text',
      content: () =>
        mail.text === null ? (
          <p class="placeholder">This email has no text part.</p>
        ) : (
          <Verbatim text={mail.text} label="Text of the mail" />
        ),
    },
    {
      id: 'languages',
      name: 'Languages',
      count: languages.length > 1 ? languages.length : 0,
      content: () => <Languages mails={languages} />,
    },
    { id: 'links', name: 'Links', count: mail.links.length, content: () => <Links mail={mail} /> },
    {
      id: 'markup',
      name: 'HTML source',
      content: () =>
        mail.html === null ? (
          <p class="placeholder">This email has no HTML.</p>
        ) : (
          <HtmlSource html={mail.html} />
        ),
    },
    { id: 'headers', name: 'Headers', content: () => <Pairs pairs={mail.headers} /> },
    {
      id: 'source',
      name: 'Source',
      content: () =>
        source === null ? (
          <p class="placeholder">The source was not kept.</p>
        ) : (
          <Verbatim text={source} label="Source of the mail" />
        ),
    },
    {
      id: 'attachments',
      name: 'Attachments',
      count: mail.attachments.length,
      content: () => <Attachments mail={mail} />,
    },
  ];
  const [worst] = findings;
  const course = (
    <div class="course">
      {data.source === 'emulator' && <Course mail={mail} posts={posts} />}
      <div class="tools size">
        {live && (
          <a class="button" href={hashOf('received', `re:${mail.id}`)}>
            Reply
          </a>
        )}
        {source !== null && source !== '' && (
          <button type="button" onClick={() => save(fileNameOf(mail), source)}>
            Download .eml
          </button>
        )}
        {live && (
          <button type="button" onClick={() => onDelete(mail)}>
            Delete
          </button>
        )}
      </div>
      <details class="more-facts">
        <summary>Details</summary>
        <Facts
          facts={[
            mail.mark !== undefined && ['Test', mail.mark],
            ['From', named(mail.from, mail.fromName)],
            mail.recipients.to.length > 0 && ['To', listOf(mail.recipients.to)],
            mail.recipients.cc.length > 0 && ['Cc', listOf(mail.recipients.cc)],
            mail.field !== 'to' && ['This copy', `${mail.field} to ${named(mail.to, mail.toName)}`],
            mail.replyTo !== null && ['Reply-To', named(mail.replyTo.email, mail.replyTo.name)],
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
            template?.locale !== undefined && ['Language', template.locale],
            template !== null && template.missing.length > 0 && ['Empty variables', names(template.missing)],
            template !== null && template.unused.length > 0 && ['Unused variables', names(template.unused)],
            mail.category !== null && ['Category', mail.category],
            mail.customVariables !== undefined && [
              'Custom variables',
              <code>{JSON.stringify(mail.customVariables)}</code>,
            ],
            request !== undefined && [
              'Sent by',
              <>
                <a href={hashOf('requests', request.id)}>
                  {request.operation ?? `${request.method} ${request.path}`}
                </a>
                {request.callId !== null && <span class="quiet"> call {request.callId}</span>}
              </>,
            ],
            posts.length > 0 && [
              'Webhook posts',
              posts.slice(0, LISTED).map((post) => (
                <span key={post.id}>
                  <a href={hashOf('service', post.id)}>{post.type}</a> <Status status={post.status} />{' '}
                </span>
              )),
            ],
          ]}
        />
      </details>
    </div>
  );
  return (
    <article>
      <Title>{mail.subject === '' ? 'No subject' : mail.subject}</Title>
      <Head mail={mail} reference={data.writtenAt} />
      <Failures mail={mail} />
      {(typeof mail.spamScore === 'number' || typeof mail.htmlErrors === 'number') && (
        <Facts
          facts={[
            typeof mail.spamScore === 'number' && ['Spam score', count(mail.spamScore)],
            typeof mail.htmlErrors === 'number' && ['HTML analysis', counted(mail.htmlErrors, 'error')],
          ]}
        />
      )}
      {worst && (
        <details class="found">
          <summary>
            <Badge tone={worst.level === 'error' ? 'bad' : 'warn'}>
              {counted(findings.length, 'finding')}
            </Badge>{' '}
            <span>
              <Words text={worst.message} />
            </span>
          </summary>
          <ul class="findings">
            {findings.map((finding, at) => (
              <li class="finding" key={at}>
                <Badge tone={finding.level === 'error' ? 'bad' : 'warn'}>{finding.level}</Badge>
                <p>
                  <Words text={finding.message} /> <code class="quiet">{finding.check}</code>
                </p>
              </li>
            ))}
          </ul>
        </details>
      )}
      {isWide() && course}
      {isWhole ? (
        <Tabs
          label="Parts of the mail"
          tabs={tabs.filter((one) => one.count !== 0)}
          selected={tab === 'html' && mail.html === null ? 'text' : tab}
          select={setTab}
        />
      ) : (
        <p class="placeholder">Loading …</p>
      )}
      {!isWide() && course}
    </article>
  );
}
