import { fillEndpoint } from '../core/path.ts';
import { booleanRule, oneOf, positiveRule, type Rule, type Rules } from '../core/rules.ts';
import { optionsWith } from '../core/request-options.ts';
import { isRecord } from '../core/record.ts';
import { STREAMS, type RequestContext, type RequestOptions, type RequestSpec } from '../core/request.ts';
import { missing } from '../core/variables.ts';
import { itemsOf } from '../models/items-of.ts';
import { completeMail } from '../models/mail-input.ts';
import { batchIssues, sendIssues } from '../models/sending-checks.ts';
import type {
  BatchOptions,
  BatchParams,
  BatchResult,
  MailDefaults,
  SendOptions,
  SendParams,
  SendResult,
} from '../models/sending.ts';
import { joined, mailJson, needsEncoding, type ValueOf } from './mail-json.ts';
import type { Reader } from './readers.ts';
import { batchSent, sent } from './send-results.ts';

/** The options of a call that decide where it is sent. They are not checked yet, and may not be an object at all. */
type Route = Pick<BatchOptions, 'stream' | 'sandboxInboxId'> | undefined;

/** A request that depends on the client's default stream. */
type RoutedRequest<T> = (context: RequestContext) => RequestSpec<T>;

/** The largest batch as JSON. The service publishes "50 MB", but not which megabyte it means. */
const MAX_BATCH_BYTES = 50 * 1024 * 1024;

/** Rules for the options of every call of `sending` besides the common ones. */
export const BATCH_RULES: Rules<Omit<BatchOptions, keyof RequestOptions>> = {
  stream: oneOf(STREAMS),
  sandboxInboxId: positiveRule,
};
const batchOptionsRule = optionsWith(BATCH_RULES);
const sendOptionsRule = optionsWith({ ...BATCH_RULES, repeatable: booleanRule });

/** What the requests of `sending` differ in, besides where they go. */
type Content = Pick<
  RequestSpec<unknown>,
  'operation' | 'body' | 'prepareBody' | 'maxBodyBytes' | 'check' | 'whileWanted' | 'repeatable'
>;

/** A request of `sending`: the stream decides where it goes. */
function routed<T>(
  endpoint: 'POST /api/send' | 'POST /api/batch',
  reader: Reader<T>,
  route: Route,
  optionsRule: Rule,
  contentOf: () => Content,
): RoutedRequest<T> {
  return (context) => {
    const { stream = context.stream, sandboxInboxId = context.sandboxInboxId } = route ?? {};
    const isSandbox = stream === 'sandbox';
    const where = isSandbox ? `${endpoint}/{sandbox_inbox_id}` : endpoint;
    // The id is an option: what is wrong with it is found with the options.
    const { method, path } = fillEndpoint(where, { sandbox_inbox_id: sandboxInboxId }, undefined);
    const { check = () => [], ...content } = contentOf();
    return {
      ...content,
      method,
      // Any other stream is refused by the check.
      host: isSandbox || stream === 'bulk' ? stream : 'send',
      path,
      optionsRule,
      check: () => {
        const issues = check();
        if (issues.length === 0 && isSandbox && sandboxInboxId === undefined) throw missing('sandboxInboxId');
        return issues;
      },
      ...reader,
    };
  };
}

/** The body as JSON: written at once if possible, otherwise once its attachments have been encoded. */
export const mailBody = (
  operation: string,
  params: unknown,
  mails: readonly unknown[] = [params],
  valueOf: ValueOf = (marked) => marked(params, ''),
): Pick<RequestSpec<unknown>, 'body' | 'prepareBody'> =>
  mails.some(needsEncoding)
    ? { prepareBody: async (signal) => joined(await mailJson(valueOf, operation, signal)) }
    : { body: params };

/** The request that sends one email. */
export const sendRequest = (
  given: SendParams,
  defaults: MailDefaults | undefined,
  options: SendOptions | undefined,
): RoutedRequest<SendResult> =>
  routed('POST /api/send', sent, options, sendOptionsRule, () => {
    const operation = 'sending.send';
    const params = completeMail(given, defaults);
    const { repeatable } = options ?? {};
    return { operation, ...mailBody(operation, params), repeatable, check: () => sendIssues(params) };
  });

/** A batch request with a given body. */
export const batchCall = (route: Route, contentOf: () => Content): RoutedRequest<BatchResult> =>
  routed('POST /api/batch', batchSent, route, batchOptionsRule, contentOf);

/** The request that sends a batch of emails. */
export const batchRequest = (
  given: BatchParams,
  defaults: MailDefaults | undefined,
  route: Route,
): RoutedRequest<BatchResult> =>
  batchCall(route, () => {
    const operation = 'sending.batch';
    // What is not an object, and what is not a list, is refused by the check.
    const { requests, ...others } = Object(given) as BatchParams;
    const mails = itemsOf(requests).map((mail) => completeMail(mail));
    const base = completeMail(others.base ?? defaults, defaults);
    const params = isRecord(given)
      ? { ...others, base, requests: mails.length > 0 ? mails : requests }
      : given;
    const body = mailBody(operation, params, [base, ...mails], (marked) => ({
      ...others,
      base: marked(base, 'base.'),
      requests: mails.map((mail, index) => marked(mail, `requests[${index}].`)),
    }));
    return { operation, ...body, maxBodyBytes: MAX_BATCH_BYTES, check: () => batchIssues(params) };
  });
