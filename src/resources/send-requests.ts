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
import { batchAnswer, sendAnswer } from '../models/send-answers.ts';
import { batchIssues, sendIssues } from '../models/send-params.ts';
import type { BatchParams, BatchResult, SendOptions, SendParams, SendResult } from '../models/sending.ts';
import { batchJson, draftMail, finish, joined, needsEncoding, type Draft } from './mail-json.ts';

/** Where a call goes, as far as its options say. They may still turn out to be no options at all. */
type Route = Pick<SendOptions, 'stream' | 'sandboxInboxId'> | undefined;

/** A request that depends on where the client sends by default. */
type RoutedRequest<T> = (context: RequestContext) => RequestSpec<T>;

const HOSTS: Readonly<Record<Stream, HostName>> = { transactional: 'send', bulk: 'bulk', sandbox: 'sandbox' };

/** The most a batch may have as JSON. "50 MB" is published; which megabyte it is, the service knows. */
const MAX_BATCH_BYTES = 50 * 1024 * 1024;

/** What sending takes besides the options of any call. */
export const SEND_RULES: Rules<Omit<SendOptions, keyof RequestOptions>> = {
  stream: oneOf(Object.keys(HOSTS)),
  sandboxInboxId: positiveRule,
};
const optionsRule = optionsWith(SEND_RULES);

type Routed = Pick<
  RequestSpec<unknown>,
  'method' | 'host' | 'path' | 'pathParams' | 'optionsRule' | 'check' | 'isRepeatable'
>;

/** Everything a call of sending has in common: never repeated when it may have been acted on. */
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

/** The body as JSON: at once where that can be, else when its attachments have been encoded. */
const bodyOf = (
  operation: string,
  params: unknown,
  mails: readonly unknown[],
  draft: () => Draft,
): Pick<RequestSpec<unknown>, 'body' | 'prepareBody'> =>
  mails.some(needsEncoding)
    ? { prepareBody: async (signal) => joined(await finish(draft(), operation, signal)) }
    : { body: params };

/** A list of texts, or a single one. */
const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : [];

/** The parsed answer itself, with a list of ids in any case: a 2xx is a success, whatever can be read of it. */
const sendResult: ResultReader<SendResult> = {
  kind: 'lenient',
  unwrap: (body) => {
    const answer = isRecord(body) ? body : { success: true };
    return Object.assign(answer, { message_ids: texts(answer.message_ids) }) as unknown as SendResult;
  },
  isRefusal: (body) => isRecord(body) && body.success === false,
};

/** Likewise. Responses are told apart by their places, so that all of them can be read, or none. */
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

/** One mail. */
export const sendRequest =
  (params: SendParams, route: Route): RoutedRequest<SendResult> =>
  (context) => ({
    operation: 'sending.send',
    ...routed('send', route, context, () => sendIssues(params)),
    ...bodyOf('sending.send', params, [params], () => draftMail(params, '')),
    result: sendResult,
    schema: sendAnswer,
  });

/** A call for many mails; how its body is made, and what is wrong with it, is given. */
export const batchCall =
  (
    route: Route,
    spec: Pick<RequestSpec<BatchResult>, 'operation' | 'body' | 'prepareBody'>,
    issuesOf: () => readonly Issue[] = () => [],
  ): RoutedRequest<BatchResult> =>
  (context) => ({
    ...spec,
    ...routed('batch', route, context, issuesOf),
    maxBodyBytes: MAX_BATCH_BYTES,
    result: batchResult,
    schema: batchAnswer,
  });

/** Many mails in one call. */
export function batchRequest(params: BatchParams, route: Route): RoutedRequest<BatchResult> {
  const operation = 'sending.batch';
  // What is no batch at all is refused by its check.
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
