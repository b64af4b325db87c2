import { late } from '../../kit/late.ts';
import { allOf, booleanRule, oneOf, idRule, type Rule, type Rules } from '../../core/rules.ts';
import { optionsWith } from '../../core/request-options.ts';
import { isRecord, itemsOf } from '../../core/record.ts';
import { STREAMS, type MailRequest, type RequestSpec, type Stream } from '../../core/request.ts';
import type { RecipientGuard } from '../../core/reach.ts';
import { missing } from '../../core/variables.ts';
import { isolatedIfPlain } from '../../core/isolated.ts';
import type { Issue } from '../../core/errors.ts';
import { keyRule, missingKeyRule } from '../../core/key.ts';
import type { Destination, SendingJournal } from '../../core/sending-journal.ts';
import { journalMissing, keyedSend } from './keyed-send.ts';
import { completeBase, completeEmail } from './mail/input.ts';
import { batchIssues } from './batch-rules.ts';
import { IN_MAIL, sendIssues } from './mail/rules.ts';
import type {
  BatchOptions,
  BatchParams,
  BatchResult,
  MailDefaults,
  SendOptions,
  SendParams,
  SendResult,
} from './types.ts';
import { needsEncoding, unfinishedMails, type UnfinishedMails } from './mail/json.ts';
import type { Endpoint, NoParams } from '../base/endpoint.ts';
import { requestTo, type RequestTo } from '../base/request-to.ts';
import { sending } from './endpoints.ts';

/** The settings of the client for sending. */
export interface SendingSettings {
  readonly defaults?: MailDefaults | undefined;
  /** Decides who may receive email. */
  readonly guard?: RecipientGuard | undefined;
  /** The default stream of emails. */
  readonly stream: Stream;
  readonly sandboxInboxId?: number | undefined;
  readonly journal?: SendingJournal | undefined;
}

/** The largest batch as JSON. The service publishes "50 MB", but not which megabyte it means. */
const MAX_BATCH_BYTES = 50 * 1024 * 1024;

/** Rules for the options of every call of `sending` besides the common ones. */
export const BATCH_RULES = late((): Rules<Pick<BatchOptions, 'stream' | 'sandboxInboxId'>> => ({
  stream: oneOf(STREAMS),
  sandboxInboxId: idRule,
}));
const batchOptionsRule = late(() =>
  optionsWith(BATCH_RULES(), {
    idempotencyKey: 'sending.batch takes no keys: use sending.batchAll',
  }),
);
const sendOptionsRule = late(() =>
  allOf(
    optionsWith({ ...BATCH_RULES(), repeatable: booleanRule, idempotencyKey: keyRule }, IN_MAIL()),
    missingKeyRule,
  ),
);

/** The parts of a request of `sending` that differ, besides its destination. */
type Content<T> = Pick<RequestSpec<T>, 'body' | 'mails' | 'repeatable'> & {
  readonly operation: string;
  readonly check: () => readonly Issue[];
};

/** A request of `sending`: the stream selects the endpoint. */
function routed<T>(
  endpoints: Readonly<Record<Stream, Endpoint<T, NoParams>>>,
  optionsRule: Rule,
  contentOf: (to: Destination, options: SendOptions) => Content<T>,
): RequestTo<T> {
  return (context) => {
    const options: SendOptions = context.options;
    const { stream = context.stream, sandboxInboxId = context.sandboxInboxId } = options;
    // The check refuses another stream.
    const endpoint = STREAMS.includes(stream) ? endpoints[stream] : endpoints.transactional;
    const { check, operation, ...content } = contentOf({ stream, sandboxInboxId }, options);
    const ids = { sandbox_inbox_id: sandboxInboxId };
    return {
      ...requestTo(endpoint, ids, undefined, { optionsRule, ...content })(context),
      operation,
      // The id of the sandbox is an option, so the check of the options reports its issues.
      check: () => {
        const issues = check();
        if (issues.length === 0 && stream === 'sandbox' && sandboxInboxId === undefined)
          throw missing('sandboxInboxId');
        return issues;
      },
    };
  };
}

/** The body: complete at once if possible, otherwise after its attachments are encoded. */
export const mailBody = (
  operation: string,
  params: unknown,
  mails: readonly unknown[] = [params],
  valueOf = ({ marked }: UnfinishedMails): unknown => marked(params, ''),
): Pick<RequestSpec<never>, 'body'> & Pick<MailRequest<never>, 'complete'> => {
  if (!mails.some(needsEncoding)) return { body: () => params, complete: undefined };
  const unfinished = unfinishedMails(operation);
  return {
    body: () => valueOf(unfinished),
    complete: async (json, signal) => ({ parts: await unfinished.finished(json, signal), keyed: undefined }),
  };
};

/** A key prevents a second send of an email that may have arrived. */
const NOT_WITH_KEY: Issue = {
  path: 'options.repeatable',
  message: 'must be left out together with idempotencyKey',
};

/** The request that sends one email. */
export const sendRequest = (
  input: SendParams,
  { defaults, journal }: SendingSettings,
): RequestTo<SendResult> =>
  routed(sending().send, sendOptionsRule(), (to, { repeatable, idempotencyKey }) => {
    const operation = 'sending.send';
    const params = completeEmail(input, defaults);
    const { body, complete } = mailBody(operation, params);
    const content = { operation, body, mails: { complete }, repeatable, check: () => sendIssues(params) };
    if (idempotencyKey === undefined) return content;
    if (!journal) throw journalMissing();
    if (repeatable === true) return { ...content, check: () => [NOT_WITH_KEY] };
    return { ...content, ...keyedSend(journal, params, idempotencyKey, to, sendIssues) };
  });

/** A batch request with an input body. */
export const batchCall = (contentOf: () => Content<BatchResult>): RequestTo<BatchResult> =>
  routed(sending().batch, batchOptionsRule(), contentOf);

/** The request that sends a batch of emails. */
export const batchRequest = (
  input: BatchParams,
  defaults: MailDefaults | undefined,
): RequestTo<BatchResult> =>
  batchCall(() => {
    const operation = 'sending.batch';
    // The check refuses a value that is not an object, and a list of another type.
    // Copied once, without fields of `Object.prototype`.
    const { requests, base: inputBase, ...others } = isolatedIfPlain(Object(input) as BatchParams);
    const base = completeBase(inputBase ?? undefined, defaults);
    const mails = itemsOf(requests).map((mail) => completeEmail(mail, defaults, base));
    const params = isRecord(input)
      ? { ...others, base, requests: mails.length > 0 ? mails : requests }
      : input;
    const valueOf = ({ marked }: UnfinishedMails) => ({
      ...others,
      base: marked(base, 'base.'),
      requests: mails.map((mail, index) => marked(mail, `requests[${index}].`)),
    });
    const { body, complete } = mailBody(operation, params, [base, ...mails], valueOf);
    const check = () => batchIssues(params);
    return { operation, body, mails: { complete, maxBodyBytes: MAX_BATCH_BYTES }, check };
  });
