import type { ComponentChild } from 'preact';
import type { ReportData, ReportFinding, ReportRun } from '../../data/data.ts';
import { count, counted, duration } from '../parts/format.ts';
import type { Index } from '../parts/index-of.ts';
import { mailsByKind } from '../parts/index-of.ts';
import { problemsOf } from '../parts/problems.ts';
import { useFirstMail, useLive } from '../live/live.ts';
import { Badge, Copy, When, Words, type Tone } from '../widgets/parts.tsx';
import { hashOf } from '../parts/route.ts';
import { wordsOf } from './faults.tsx';

/** The most problems that are listed. */
const SHOWN = 20;

interface RowProps {
  readonly href: string;
  readonly title: ComponentChild;
  readonly about?: string | undefined;
  readonly badge?: string;
  readonly tone?: Tone;
  readonly time?: ComponentChild;
}

/** A row of a list: a title, and a line about it. */
const Row = ({ href, title, about, badge, tone = 'bad', time }: RowProps) => (
  <li>
    <a class="row" href={href}>
      <span class="first">
        <span class="name">{title}</span>
        {badge !== undefined && <Badge tone={tone}>{badge}</Badge>}
        {time}
      </span>
      <span class="second">{about && <Words text={about} />}</span>
    </a>
  </li>
);

const List = ({ name, children }: { name: string; children: ComponentChild }) => (
  <section aria-label={name}>
    <h2>{name}</h2>
    <ul class="rows lines">{children}</ul>
  </section>
);

function Finding({ finding, index }: { finding: ReportFinding; index: Index }) {
  const { level, check, kind, message, ids } = finding;
  return (
    <Row
      href={hashOf(
        'mails',
        ids.find((id) => index.mails.has(id)),
      )}
      title={<Words text={message} />}
      badge={level}
      tone={level === 'error' ? 'bad' : 'warn'}
      about={`${kind} · \`${check}\` · ${counted(ids.length, 'email')}`}
    />
  );
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

const Total = ({ value, noun, href }: { value: number; noun: string; href?: string }) => (
  <a class="total" {...(href && { href })}>
    <strong>{count(value)}</strong> {value === 1 ? noun : `${noun}s`}
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

export function Overview({ data, index, isSearching }: Props) {
  const live = useLive();
  const isUnchecked = live?.isUnchecked === true && data.findings.length === 0;
  const isRun = data.source === 'emulator';
  const problems = problemsOf(data, index);
  const planned = live?.faults.filter(({ paused }) => !paused) ?? [];
  const { mails: mailsOut, requests: requestsOut } = data.omitted;
  return (
    <div class="overview">
      <p class="totals">
        <Total value={data.sent} noun="email" href={hashOf('mails')} />
        {isRun && <Total value={problems.total} noun="problem" />}
        {!isUnchecked && <Total value={data.findings.length} noun="finding" />}
        {live && <Total value={planned.length} noun="planned failure" href={hashOf('service')} />}
      </p>
      {data.run && !live && <RunLine {...data.run} />}
      {mailsOut + requestsOut > 0 && (
        <p class="quiet">
          The oldest are left out of this page: {counted(mailsOut, 'email')} and{' '}
          {counted(requestsOut, 'request')}. The totals count them.
        </p>
      )}
      {data.notes?.map((note) => (
        <p class="quiet" key={note}>
          {note}
        </p>
      ))}
      {data.mails.length === 0 && isSearching && <p class="placeholder">No email fits the search.</p>}
      {data.sent === 0 && data.mails.length === 0 && isRun && !isSearching && <NoMail />}
      {problems.list.length > 0 && (
        <List name="Problems">
          {problems.list.slice(0, SHOWN).map((problem) => (
            <Row key={problem.href} {...problem} time={<When item={problem} reference={data.writtenAt} />} />
          ))}
          {problems.total > SHOWN && <li class="quiet">The newest {SHOWN} are listed.</li>}
        </List>
      )}
      {data.mails.length > 0 && (
        <section class={live && 'findings-space'} aria-label="Findings">
          <h2>Findings</h2>
          {live?.runChecks && (
            <button type="button" onClick={live.runChecks}>
              Check all emails now
            </button>
          )}
          {isUnchecked ? (
            <p class="quiet" role="status">
              {live.runChecks ? 'The checks have not read these emails yet.' : 'Checking …'}
            </p>
          ) : (
            data.findings.length === 0 && <p class="quiet">No findings.</p>
          )}
          <ol class="rows lines">
            {data.findings.map((finding, at) => (
              <Finding key={at} finding={finding} index={index} />
            ))}
          </ol>
        </section>
      )}
      {planned.length > 0 && (
        <List name="Planned failures">
          {planned.map((fault) => (
            <Row key={fault.id} href={hashOf('service')} title={wordsOf(fault)} />
          ))}
        </List>
      )}
      {data.mails.length > 0 && (
        <List name="Kinds of email">
          {mailsByKind(data.mails, index).map(({ kind, mails: [newest] }) => (
            <Row
              key={kind.id}
              href={hashOf('mails', newest?.id)}
              title={kind.name}
              time={
                <>
                  <small>{count(kind.count)}</small>
                  {newest && <When item={newest} reference={data.writtenAt} />}
                </>
              }
            />
          ))}
        </List>
      )}
    </div>
  );
}
