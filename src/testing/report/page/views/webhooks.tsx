import type { ReportData, ReportPost } from '../../data/data.ts';
import { duration } from '../parts/format.ts';
import type { Index } from '../parts/index-of.ts';
import { Outcome, useAction } from '../parts/action.tsx';
import { bodyLines } from '../parts/json-lines.ts';
import { ask } from '../live/live.ts';
import { Copy, Facts, Paged, Split, Status, Time, Title } from '../parts/parts.tsx';
import { hashOf } from '../parts/route.ts';

/** Makes a post once more. */
function Redeliver({ id }: { id: number }) {
  const { result, isBusy, run } = useAction();
  const redeliver = () =>
    run(async () => {
      const { post } = (await ask('POST', `webhooks/posts/${id}/redeliver`)) as {
        post: { status: number | null };
      };
      return `Posted again: ${post.status ?? 'no response'}`;
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

function PostView({ post }: { post: ReportPost }) {
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
          ['Receiver', post.url],
          ['Attempt', post.attempt],
          ['Time', <Time at={post.at} />],
          Math.abs(post.clockAt - post.at) >= 1_000 && ['Emulator’s clock', <Time at={post.clockAt} />],
          post.durationMs !== null && ['Duration', duration(post.durationMs)],
        ]}
      />
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
  readonly posts: readonly ReportPost[];
  readonly index: Index;
  readonly id: string | null;
}

export function Webhooks({ data, posts, index, id }: Props) {
  const post = id === null ? undefined : index.posts.get(id);
  return (
    <Split
      label="Webhooks"
      back={hashOf('webhooks')}
      placeholder={id === null ? 'Choose a post.' : `The report has no post ${id}.`}
      detail={post && <PostView key={post.id} post={post} />}
      list={
        <>
          {posts.length === 0 && (
            <p class="placeholder">
              {data.posts.length === 0 ? 'No event was posted to a receiver.' : 'No post fits the search.'}
            </p>
          )}
          <Paged items={posts} selected={id}>
            {(item) => (
              <a
                class="row"
                data-row
                href={hashOf('webhooks', item.id)}
                aria-current={item.id === id ? 'true' : undefined}
              >
                <span class="first">
                  <Status status={item.status} />
                  <span class="name">{item.type}</span>
                  <Time at={item.at} reference={data.writtenAt} />
                </span>
                <span class="second">
                  <span class="name">{item.url}</span>
                  {item.attempt > 1 && <span>attempt {item.attempt}</span>}
                </span>
              </a>
            )}
          </Paged>
        </>
      }
    />
  );
}
