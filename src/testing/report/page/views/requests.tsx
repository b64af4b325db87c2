import type { ReportData, ReportRequest } from '../../data/data.ts';
import { curlOf } from '../parts/curl.ts';
import { count, duration } from '../parts/format.ts';
import { emailOf, type Index } from '../parts/index-of.ts';
import { reasonOf, sentencesOf } from '../parts/problems.ts';
import { FailForm } from './faults.tsx';
import { bodyLines } from '../parts/json-lines.ts';
import { useDetails, useLive } from '../live/live.ts';
import {
  Copy,
  Counted,
  Facts,
  Pairs,
  Split,
  Status,
  Time,
  Title,
  useFirst,
  When,
} from '../widgets/parts.tsx';
import { hashOf } from '../parts/route.ts';

const lineOf = ({ method, path }: ReportRequest) => `${method} ${path}`;

interface RowProps {
  readonly request: ReportRequest;
  readonly index: Index;
  readonly isCurrent: boolean;
  readonly reference: number;
}

function Row({ request, isCurrent, index, reference }: RowProps) {
  const [reason] = request.reasons;
  const email = emailOf(request, index);
  const about = [
    email && lineOf(request),
    request.operation ?? request.host,
    request.durationMs !== null && duration(request.durationMs),
    request.mark,
  ].filter(Boolean);
  return (
    <a
      class="row"
      data-row
      href={hashOf('requests', request.id)}
      aria-current={isCurrent ? 'true' : undefined}
    >
      <span class="first">
        {request.refused && <Status status={request.status} />}
        <span class="name" title={email}>
          {email ?? lineOf(request)}
        </span>
        <When item={request} reference={reference} />
      </span>
      <span class="second">
        <span class="name" title={about.join(' · ')}>
          {about.join(' · ')}
        </span>
      </span>
      {reason && (
        <span class="second bad">
          <span class="name" title={request.reasons.map(reasonOf).join('\n')}>
            {reasonOf(reason)}
          </span>
        </span>
      )}
    </a>
  );
}

interface BodyProps {
  readonly title: string;
  readonly body: string;
  readonly isCut: boolean;
  readonly reasons: ReportRequest['reasons'];
}

function Body({ title, body, isCut, reasons }: BodyProps) {
  const lines = bodyLines(body, reasons);
  return (
    <>
      <h3>{title}</h3>
      <div class="verbatim" tabIndex={0} role="region" aria-label={title}>
        {lines.map(({ text, notes }, at) => (
          <div key={at} class={notes.length > 0 ? 'line marked' : 'line'}>
            <code>{text}</code>
            {notes.map((note) => (
              <strong key={note}> ← {note}</strong>
            ))}
          </div>
        ))}
      </div>
      {isCut && <p class="quiet">The rest was not kept.</p>}
    </>
  );
}

function RequestView({ request: listed, index }: { request: ReportRequest; index: Index }) {
  const { item: request, isWhole } = useDetails('requests', listed);
  const live = useLive();
  const curl = curlOf(request);
  const { details, reasons } = request;
  return (
    <article>
      <Title>
        {lineOf(request)} <Status status={request.status} />
      </Title>
      {reasons.length > 0 && (
        <section class="reasons" aria-label="Reasons">
          <h3>Why it was refused</h3>
          <ul>
            {reasons.map(({ field, message }, at) => (
              <li key={at}>
                {field !== null && (
                  <>
                    <code>{field}</code>{' '}
                  </>
                )}
                {sentencesOf(message)
                  .join('\n\n')
                  .split(/(?<=\()/)
                  .flatMap((part) => [part, <wbr />])}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Facts
        facts={[
          request.email !== undefined && ['Subject', request.email.subject ?? 'none'],
          request.email !== undefined && ['To', request.email.to.join(', ') || 'no recipient'],
          request.mark !== undefined && ['Test', request.mark],
          request.operation !== null && ['Client method', <code>{request.operation}</code>],
          ['Host', request.host],
          request.query !== '' && ['Query', <code>{request.query}</code>],
          ['Time', <Time at={request.at} />],
          Math.abs(request.clockAt - request.at) >= 1_000 && [
            'Emulator’s clock',
            <Time at={request.clockAt} />,
          ],
          request.durationMs !== null && ['Duration', duration(request.durationMs)],
          request.pool !== null && ['Pool', request.pool],
          request.callId !== null && ['Call', <code>{request.callId}</code>],
        ]}
      />
      {live && (
        <details>
          <summary>Fail the next request like this one</summary>
          <FailForm
            label="Fail the next one"
            match={{ method: request.method, host: request.host, path: request.path }}
          />
        </details>
      )}
      {request.mails.length > 0 && (
        <section>
          <h3>Emails that it sent</h3>
          <ul class="plain">
            {request.mails.slice(0, 100).map((id) => {
              const mail = index.mails.get(id);
              return (
                <li key={id}>
                  {mail ? (
                    <a href={hashOf('mails', id)}>{mail.subject === '' ? 'No subject' : mail.subject}</a>
                  ) : (
                    `email ${id}`
                  )}
                  {mail && <span class="quiet"> {mail.to}</span>}
                </li>
              );
            })}
            {request.mails.length > 100 && <li>and {count(request.mails.length - 100)} more</li>}
          </ul>
        </section>
      )}
      {details ? (
        <>
          {curl !== null && <Copy text={curl} label="Copy as curl" />}
          {details.body !== null && (
            <Body title="Body" body={details.body} isCut={details.bodyCut} reasons={reasons} />
          )}
          {details.responseBody !== null && (
            <Body title="Response" body={details.responseBody} isCut={details.responseCut} reasons={[]} />
          )}
          <h3>Headers of the request</h3>
          <Pairs pairs={details.headers} />
          <h3>Headers of the response</h3>
          <Pairs pairs={details.responseHeaders} />
        </>
      ) : !isWhole ? (
        <p class="placeholder">Loading …</p>
      ) : (
        <p class="quiet">
          The details of an accepted request are kept with <code>createEmulator({'{ details: true }'})</code>.
        </p>
      )}
    </article>
  );
}

interface Props {
  readonly data: ReportData;
  readonly requests: readonly ReportRequest[];
  readonly index: Index;
  readonly id: string | null;
}

export function Requests({ data, requests, index, id }: Props) {
  const row = (request: ReportRequest) => (
    <Row request={request} isCurrent={request.id === shown?.id} index={index} reference={data.writtenAt} />
  );
  const refused = requests.filter((request) => request.refused);
  const accepted = requests.filter((request) => !request.refused);
  const first = useFirst([...refused, ...accepted]);
  const shown = id === null ? first : index.requests.get(id);
  return (
    <Split
      label="Requests"
      back={id === null ? undefined : hashOf('requests')}
      placeholder={id === null ? 'Choose a request.' : `The report has no request ${id}.`}
      detail={shown && <RequestView key={shown.id} request={shown} index={index} />}
      list={
        <>
          {requests.length === 0 && (
            <p class="placeholder">
              {data.requests.length === 0 ? 'No request was made yet.' : 'No request fits the search.'}
            </p>
          )}
          <Counted name="Refused" items={refused} selected={id}>
            {row}
          </Counted>
          <Counted name="Accepted" items={accepted} selected={id}>
            {row}
          </Counted>
        </>
      }
    />
  );
}
