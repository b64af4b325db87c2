import { grouped } from '../../../../kit/grouped.ts';
import type { ComponentChild } from 'preact';
import type { ReportData, ReportFinding, ReportMail, ReportRun } from '../../data/data.ts';
import { outcome } from '../../data/outcomes.ts';
import { count, counted, duration } from '../parts/format.ts';
import type { Index } from '../parts/index-of.ts';
import { emailOf, failureOf, mailsByKind } from '../parts/index-of.ts';
import { isFailed } from '../parts/posts.ts';
import { useFirstMail, useLive } from '../live/live.ts';
import { Badge, Copy, Time, Words } from '../widgets/parts.tsx';
import { hashOf } from '../parts/route.ts';

/** The most mails that a finding links to. It shows the number of the others. */
const LINKED = 5;

function Finding({ finding, index }: { finding: ReportFinding; index: Index }) {
  const known = finding.ids.filter((id) => index.mails.has(id));
  return (
    <li class="finding">
      <Badge tone={finding.level === 'error' ? 'bad' : 'warn'}>{finding.level}</Badge>
      <div>
        <p>
          <Words text={finding.message} />
        </p>
        <p class="quiet">
          check: {finding.check}
          {known.slice(0, LINKED).map((id) => (
            <span key={id}>
              {' · '}
              <a href={hashOf('mails', id)}>
                email {id}
                <span class="unseen">
                  , {finding.check} in {finding.kind}
                </span>
              </a>
            </span>
          ))}
          {finding.ids.length > LINKED && ` and ${count(finding.ids.length - LINKED)} more`}
        </p>
      </div>
    </li>
  );
}

/** The findings of each kind of email, in the order of the first one. */
function byKind(
  findings: readonly ReportFinding[],
): readonly (readonly [string, readonly ReportFinding[]])[] {
  return [...grouped(findings, ({ kind }) => [kind])];
}

/** Which run of a program it is. */
const RunLine = ({ title, commit, branch, durationMs }: ReportRun) => (
  <p class="run">
    {title !== undefined && <strong>{title}</strong>}
    {commit !== undefined && <code title={commit}>{commit.slice(0, 8)}</code>}
    {branch !== undefined && <span>{branch}</span>}
    {durationMs !== undefined && <span class="quiet">took {duration(durationMs)}</span>}
  </p>
);

const Total = ({ value, noun, href }: { value: number; noun: string; href: string }) => (
  <a class="total" href={href}>
    <strong>{count(value)}</strong> {noun}
  </a>
);

export function NoMail() {
  const command = useFirstMail();
  return (
    <section class="empty">
      <h2>No email was sent yet</h2>
      {command !== undefined && (
        <>
          <p>This command sends a first email to the emulator:</p>
          <pre class="verbatim" tabIndex={0} role="region" aria-label="Command for a first email">
            {command}
          </pre>
          <Copy text={command} label="Copy the command" />
        </>
      )}
    </section>
  );
}

interface Props {
  readonly data: ReportData;
  readonly index: Index;
  readonly isSearching: boolean;
}

/** An email that did not arrive: when, why, and whether the program got to know. */
function Undelivered({ mail, index }: { mail: ReportMail; index: Index }) {
  const failure = failureOf(mail);
  if (failure === undefined) return null;
  const posts = index.postsOf.get(mail.id) ?? [];
  return (
    <li>
      <a href={hashOf('mails', mail.id)}>
        {mail.subject === '' ? 'No subject' : mail.subject} → {mail.to}
      </a>{' '}
      <Time at={failure.at} reference={mail.clockAt} />{' '}
      <span class="quiet">
        {outcome(failure.type)}
        {failure.reason !== undefined && `: ${failure.reason}`}
        {posts.some(isFailed) && ' · the webhook failed'}
      </span>
    </li>
  );
}

/** The most emails and requests that the overview lists of each kind of fault. */
const SHOWN = 10;

/** Faults of one kind: the newest, and a link to all if there are more. */
const Faults = ({
  name,
  total,
  shown,
  all,
}: {
  name: string;
  total: number;
  shown: readonly ComponentChild[];
  all: ComponentChild;
}) =>
  shown.length > 0 && (
    <section>
      <h2>
        {name} <small>{count(total)}</small>
      </h2>
      <ul class="plain">{shown}</ul>
      {total > shown.length && all}
    </section>
  );

export function Overview({ data, index, isSearching }: Props) {
  const live = useLive();
  const isUnchecked = live?.isUnchecked === true;
  const isRun = data.source === 'emulator';
  const errors = data.findings.filter(({ level }) => level === 'error').length;
  const undelivered = data.mails.filter(failureOf);
  const refused = data.requests.filter((request) => request.refused).slice(0, SHOWN);
  const { mails: mailsOut, requests: requestsOut } = data.omitted;
  return (
    <div class="overview">
      <p class="totals">
        <Total
          value={data.kinds.length}
          noun={data.kinds.length === 1 ? 'kind of email' : 'kinds of email'}
          href={hashOf('mails')}
        />
        <Total value={data.sent} noun={isRun ? 'emails sent' : 'emails'} href={hashOf('mails')} />
        {isRun && <Total value={data.requested} noun="requests" href={hashOf('requests')} />}
        {isRun && <Total value={data.refused} noun="refused" href={hashOf('requests')} />}
      </p>
      {data.run && !live && <RunLine {...data.run} />}
      {mailsOut + requestsOut > 0 && (
        <p class="note">
          The oldest are left out of this page: {counted(mailsOut, 'email')} and{' '}
          {counted(requestsOut, 'request')}. The totals count them.
        </p>
      )}
      {data.notes?.map((note) => (
        <p class="note" key={note}>
          {note}
        </p>
      ))}
      {data.mails.length === 0 && isSearching && <p class="placeholder">No email fits the search.</p>}
      {data.sent === 0 && data.mails.length === 0 && isRun && !isSearching && <NoMail />}
      <Faults
        name="Not delivered"
        total={undelivered.length}
        shown={undelivered.slice(0, SHOWN).map((mail) => (
          <Undelivered key={mail.id} mail={mail} index={index} />
        ))}
        all={<a href={hashOf('mails')}>All emails</a>}
      />
      <Faults
        name="Refused requests"
        total={data.refused}
        shown={refused.map((request) => (
          <li key={request.id}>
            <a href={hashOf('requests', request.id)}>
              {request.status ?? 'no response'} · {request.operation ?? `${request.method} ${request.path}`}
              {request.email && ` · ${emailOf(request, index)}`}
            </a>{' '}
            <Time at={request.at} reference={data.writtenAt} />
            {request.reasons[0] && (
              <span class="quiet">
                {' '}
                {request.reasons[0].field === null ? '' : `${request.reasons[0].field}: `}
                {request.reasons[0].message}
              </span>
            )}
          </li>
        ))}
        all={<a href={hashOf('requests')}>All refused requests</a>}
      />
      {data.mails.length > 0 && (
        <section class={live && 'findings-space'}>
          <h2>Findings {!isUnchecked && <small>{count(data.findings.length)}</small>}</h2>
          {live?.runChecks && (
            <button type="button" onClick={live.runChecks}>
              Check all emails now
            </button>
          )}
          {data.findings.length === 0 && isUnchecked ? (
            <p class="quiet" role="status">
              {live.runChecks ? 'The checks have not read these emails yet.' : 'Checking …'}
            </p>
          ) : data.findings.length === 0 ? (
            <p class="quiet">The checks found no fault in these emails.</p>
          ) : (
            <>
              <p class="quiet">
                {counted(errors, 'error')}, {counted(data.findings.length - errors, 'warning')}
              </p>
              {byKind(data.findings).map(([kind, findings]) => (
                <section key={kind}>
                  <h3>{kind}</h3>
                  <ol class="findings">
                    {findings.map((finding, at) => (
                      <Finding key={at} finding={finding} index={index} />
                    ))}
                  </ol>
                </section>
              ))}
            </>
          )}
        </section>
      )}
      {data.mails.length > 0 && (
        <section>
          <h2>
            Kinds of email <small>{count(data.kinds.length)}</small>
          </h2>
          <ul class="kinds">
            {mailsByKind(data.mails, index).map(({ kind, mails }) => (
              <li key={kind.id}>
                <a href={hashOf('mails', mails[0]?.id)}>{kind.name}</a>
                <span class="quiet">
                  {counted(kind.count, 'email')} · last{' '}
                  {mails[0] && <Time at={mails[0].at} reference={data.writtenAt} />}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
