import type { ReportData } from '../../data/data.ts';
import { counted, duration } from '../parts/format.ts';
import type { Index } from '../parts/index-of.ts';
import { isFailed, nextAttemptOf, type Post } from '../parts/posts.ts';
import { statusOf } from '../parts/problems.ts';
import { Outcome, useAction } from '../widgets/action.tsx';
import { bodyLines } from '../parts/json-lines.ts';
import { ask, clockOf, useLive } from '../live/live.ts';
import { Copy, Counted, Facts, Split, Status, Time, Title, When } from '../widgets/parts.tsx';
import { hashOf } from '../parts/route.ts';

/** The most mails that a post links to. */
const LISTED = 50;

/** Makes a post once more. */
function Redeliver({ id }: { id: number }) {
  const { result, isBusy, run } = useAction();
  const redeliver = () =>
    run(async () => {
      const { post } = (await ask('POST', `webhooks/posts/${id}/redeliver`)) as {
        post: { status: number | null };
      };
      return `Posted again: ${statusOf(post.status)}`;
    });
  return (
    <>
      <button type="button" disabled={isBusy} onClick={redeliver}>
        Redeliver
      </button>{' '}
      <Outcome result={result} />
    </>
  );
}

/** The next attempt on the emulator's clock, or the information that there is none. A file of an earlier version has neither. */
function NextAttempt({ post }: { post: Post }) {
  const live = useLive();
  const nextAt = nextAttemptOf(post);
  if (nextAt === undefined && post.nextAt === undefined) return null;
  return nextAt === undefined || (live && nextAt < clockOf(live)) ? (
    <p>The emulator makes no further attempt.</p>
  ) : (
    <p>
      Next attempt: <Time at={nextAt} /> on the emulator’s clock
    </p>
  );
}

function PostView({ post, index }: { post: Post; index: Index }) {
  const mails = (post.mails ?? []).flatMap((id) => index.mails.get(id) ?? []);
  const body = bodyLines(post.body, [])
    .map(({ text }) => text)
    .join('\n');
  return (
    <article>
      <Title>
        {post.type} <Status status={post.status} />
      </Title>
      <Facts
        facts={[
          mails.length > 0 && [
            mails.length === 1 ? 'Email' : 'Emails',
            mails.slice(0, LISTED).map((mail) => (
              <span key={mail.id}>
                <a href={hashOf('mails', mail.id)}>{mail.subject === '' ? 'No subject' : mail.subject}</a>{' '}
                <span class="quiet">to {mail.to}</span>{' '}
              </span>
            )),
          ],
          ['Receiver', post.url],
          post.attempts.length > 1 && [
            'Attempts',
            <ul class="plain">
              {post.attempts.map(({ id, at, status }) => (
                <li key={id}>
                  <Time at={at} /> <Status status={status} />
                </li>
              ))}
            </ul>,
          ],
          ['Time', <Time at={post.at} />],
          Math.abs(post.clockAt - post.at) >= 1_000 && ['Emulator’s clock', <Time at={post.clockAt} />],
          post.durationMs !== null && ['Duration', duration(post.durationMs)],
        ]}
      />
      {isFailed(post) && (
        <div class="reasons">
          <h3>Why it failed</h3>
          <p>
            {post.status === null
              ? 'The receiver gave no response.'
              : `The receiver’s response was ${post.status}. Only 200 counts as received.`}
          </p>
          <NextAttempt post={post} />
        </div>
      )}
      {post.redeliver !== undefined && <Redeliver id={post.redeliver} />}
      <Copy text={post.body} label="Copy the body" />
      <h3>Body</h3>
      <pre class="verbatim" tabIndex={0} role="region" aria-label="Body">
        {body}
      </pre>
    </article>
  );
}

interface Props {
  readonly data: ReportData;
  readonly posts: readonly Post[];
  readonly index: Index;
  readonly id: string | null;
}

/** The posts, the failed ones first. */
export function Posts({ data, posts, index, id }: Props) {
  const post = id === null ? undefined : index.posts.get(id);
  const row = (item: Post) => {
    const nextAt = isFailed(item) ? nextAttemptOf(item) : undefined;
    const mail = index.mails.get(item.mails?.[0] ?? '');
    return (
      <a
        class="row"
        data-row
        href={hashOf('service', item.id)}
        aria-current={item.id === post?.id ? 'true' : undefined}
      >
        <span class="first">
          <Status status={item.status} />
          <span class="name">{item.type}</span>
          <When item={item} reference={data.writtenAt} />
        </span>
        <span class="second">
          <span class="name">
            {mail && `${mail.to} · ${mail.subject} · `}
            {item.url}
          </span>
          {item.attempts.length > 1 && <span>{counted(item.attempts.length, 'attempt')}</span>}
          {nextAt !== undefined && (
            <span>
              next <Time at={nextAt} reference={item.clockAt} />
            </span>
          )}
        </span>
      </a>
    );
  };
  return (
    <>
      {posts.length === 0 && (
        <p class="placeholder">
          {data.posts.length === 0 ? 'No event was posted to a receiver.' : 'No post fits the search.'}
        </p>
      )}
      <Counted name="Failed" items={posts.filter(isFailed)} selected={post?.id ?? null}>
        {row}
      </Counted>
      <Counted name="Delivered" items={posts.filter((one) => !isFailed(one))} selected={post?.id ?? null}>
        {row}
      </Counted>
    </>
  );
}

/** A chosen post beside the others. */
export function Webhooks({ id, ...props }: Props & { id: string }) {
  const post = props.index.posts.get(id);
  return (
    <Split
      label="Webhooks"
      back={hashOf('service')}
      placeholder={`The report has no post ${id}.`}
      detail={post && <PostView key={post.id} post={post} index={props.index} />}
      list={<Posts {...props} id={id} />}
    />
  );
}
