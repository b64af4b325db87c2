import type { Issue } from '../core/errors.ts';
import { oneOf, positiveRule, type Rules } from '../core/rules.ts';
import { optionsWith } from '../core/request-options.ts';
import { isRecord } from '../core/record.ts';
import type {
  HostName,
  RequestContext,
  RequestOptions,
  RequestSpec,
  ResultReader,
  Stream,
} from '../core/request.ts';
import { missing } from '../core/variables.ts';
import { batchIssues, sendIssues } from '../models/sending-checks.ts';
import type { BatchParams, BatchResult, SendOptions, SendParams, SendResult } from '../models/sending.ts';
import { batchJson, draftMail, finish, joined, needsEncoding, type Draft } from './mail-json.ts';

/** The options of a call that decide where it is sent. They are not checked yet, and may not be an object at all. */
type Route = Pick<SendOptions, 'stream' | 'sandboxInboxId'> | undefined;

/** A request that depends on the client's default stream. */
type RoutedRequest<T> = (context: RequestContext) => RequestSpec<T>;

const HOSTS: Readonly<Record<Stream, HostName>> = { transactional: 'send', bulk: 'bulk', sandbox: 'sandbox' };

/** The largest batch as JSON. The service publishes "50 MB", but not which megabyte it means. */
const MAX_BATCH_BYTES = 50 * 1024 * 1024;

/** Rules for the options of sending besides the common ones. */
export const SEND_RULES: Rules<Omit<SendOptions, keyof RequestOptions>> = {
  stream: oneOf(Object.keys(HOSTS)),
  sandboxInboxId: positiveRule,
};
const optionsRule = optionsWith(SEND_RULES);

type Routed = Pick<
  RequestSpec<unknown>,
  'method' | 'host' | 'path' | 'pathParams' | 'optionsRule' | 'check' | 'isRepeatable'
>;

/** What every call of `sending` has in common: it is never retried when the service may have acted on it. */
function routed(
  call: 'send' | 'batch',
  route: Route,
  context: RequestContext,
  issuesOf: () => readonly Issue[],
): Routed {
  const { stream = context.stream, sandboxInboxId = context.sandboxInboxId } = route ?? {};
  const isSandbox = stream === 'sandbox';
  return {
    method: 'POST',
    host: HOSTS[stream],
    path: isSandbox ? `/api/${call}/{sandbox_inbox_id}` : `/api/${call}`,
    ...(isSandbox && sandboxInboxId !== undefined && { pathParams: { sandbox_inbox_id: sandboxInboxId } }),
    optionsRule,
    check: () => {
      const issues = issuesOf();
      if (issues.length === 0 && isSandbox && sandboxInboxId === undefined) {
        throw missing('sandboxInboxId');
      }
      return issues;
    },
    isRepeatable: false,
  };
}

/** The body as JSON: written at once if possible, otherwise once its attachments have been encoded. */
const bodyOf = (
  operation: string,
  params: unknown,
  mails: readonly unknown[],
  draft: () => Draft,
): Pick<RequestSpec<unknown>, 'body' | 'prepareBody'> =>
  mails.some(needsEncoding)
    ? { prepareBody: async (signal) => joined(await finish(draft(), operation, signal)) }
    : { body: params };

/** The strings of an array, or of a single string. */
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : [];

/** The parsed response itself, always with an array of ids: a 2xx is a success, however much of it can be read. */
const sendResult: ResultReader<SendResult> = {
  kind: 'lenient',
  unwrap: (body) => {
    const answer = isRecord(body) ? body : { success: true };
    return Object.assign(answer, { message_ids: texts(answer.message_ids) }) as unknown as SendResult;
  },
  isRefusal: (body) => isRecord(body) && body.success === false,
};

/** Like `sendResult`. Responses are matched by position, so either all of them can be used or none. */
const batchResult: ResultReader<BatchResult> = {
  kind: 'lenient',
  unwrap: (body) => {
    const answer = isRecord(body) ? body : { success: true };
    const responses =
      Array.isArray(answer.responses) && answer.responses.every(isRecord) ? answer.responses : [];
    for (const part of [answer, ...responses]) if ('errors' in part) part.errors = texts(part.errors);
    for (const response of responses) response.message_ids = texts(response.message_ids);
    return Object.assign(answer, { responses }) as unknown as BatchResult;
  },
};

/** The request that sends one email. */
export const sendRequest =
  (params: SendParams, route: Route): RoutedRequest<SendResult> =>
  (context) => ({
    operation: 'sending.send',
    ...routed('send', route, context, () => sendIssues(params)),
    ...bodyOf('sending.send', params, [params], () => draftMail(params, '')),
    result: sendResult,
    schema: 'sendResult',
  });

/** A batch request with a given body; `issuesOf` returns what is wrong with the arguments. */
export const batchCall =
  (
    route: Route,
    spec: Pick<RequestSpec<BatchResult>, 'operation' | 'body' | 'prepareBody' | 'whileWanted'>,
    issuesOf: () => readonly Issue[] = () => [],
  ): RoutedRequest<BatchResult> =>
  (context) => ({
    ...spec,
    ...routed('batch', route, context, issuesOf),
    maxBodyBytes: MAX_BATCH_BYTES,
    result: batchResult,
    schema: 'batchResult',
  });

/** The request that sends a batch of emails. */
export function batchRequest(params: BatchParams, route: Route): RoutedRequest<BatchResult> {
  const operation = 'sending.batch';
  // What is not an object is refused by the check.
  const { base, requests } = (isRecord(params) ? params : {}) as Partial<BatchParams>;
  const mails = Array.isArray(requests) ? (requests as readonly unknown[]) : [];
  const draft = () =>
    batchJson(
      base === undefined ? undefined : draftMail(base, 'base.'),
      mails.map((mail, index) => draftMail(mail, `requests[${index}].`)),
    );
  const body = bodyOf(operation, params, [base, ...mails], draft);
  return batchCall(route, { operation, ...body }, () => batchIssues(params));
}
