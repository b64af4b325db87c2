/** The rules of the client's options; some are checked when they are resolved. */
import type { Journal } from '../core/journal.ts';
import { OTHER_OPTIONS } from '../core/other-names.ts';
import { retryRule } from '../core/request-options.ts';
import { STREAMS } from '../core/request.ts';
import {
  anything,
  booleanRule,
  durationRule,
  functionRule,
  mustBe,
  objectOf,
  oneOf,
  recordOf,
  type Rules,
} from '../core/rules.ts';
import { schemaRule } from '../core/standard-schema.ts';
import { recipientsRule } from '../recipients/options.ts';
import { completeMail } from '../resources/sending/mail/input.ts';
import { defaultsRule } from '../resources/sending/mail/rules.ts';
import type { Hooks } from '../transport/hooks.ts';
import { LOG_LEVELS, type Logger } from '../transport/logger.ts';
import { domainRule } from './domain-hosts.ts';
import type { AppInfo, EmailPlatformOptions, Hosts } from './options.ts';

export const streamRule = oneOf(STREAMS);

const nameRule = mustBe(
  'letters, digits and -_.',
  (text) => typeof text === 'string' && /^[\w.-]+$/.test(text),
);

const hooksObject = objectOf<Hooks>(
  {
    onStart: functionRule,
    onRequest: functionRule,
    onResponse: functionRule,
    onRetry: functionRule,
    onThrottle: functionRule,
    onMismatch: functionRule,
    onEnd: functionRule,
  },
  [],
  'false or an object of functions',
);

export const logLevelRule = oneOf(LOG_LEVELS);

const loggerRule = mustBe(
  'false or an object with the functions debug, info, warn and error',
  (logger) =>
    logger === false ||
    (typeof logger === 'object' &&
      LOG_LEVELS.every((level) => typeof (logger as Partial<Logger>)[level] === 'function')),
);

/** The rule for options, as a text after "must be". */
export const AN_OBJECT = 'an object, such as { token }';

/** Recognized by shape: another copy of the package may have created it. */
const isJournal = (value: unknown) => {
  const { store, inFlight, namespace, variable, forSending } = value as Readonly<
    Record<keyof Journal, object>
  >;
  const has = (object: object, methods: readonly string[]) =>
    methods.every((name) => typeof (object as Record<string, unknown>)[name] === 'function');
  const isNamed = [namespace, variable].every((name) => typeof name === 'string');
  return (
    isNamed &&
    typeof forSending === 'function' &&
    has(store, ['claim', 'record', 'open', 'forget']) &&
    has(inFlight, ['get', 'set', 'delete'])
  );
};

/** Checks the options, except those that are checked when they are resolved. */
const optionFields: Rules<EmailPlatformOptions> = {
  token: anything,
  auth: oneOf(['bearer', 'api-token']),
  accountId: anything,
  stream: streamRule,
  sandboxInboxId: anything,
  defaults: (defaults) => defaultsRule()(completeMail(defaults)),
  recipients: recipientsRule,
  journal: mustBe('a journal, such as sqliteJournal(db) of email-platform/journal', isJournal),
  domain: domainRule,
  hosts: objectOf<Hosts>({
    domain: anything,
    api: anything,
    send: anything,
    bulk: anything,
    sandbox: anything,
  }),
  timeoutMs: durationRule,
  deadlineMs: durationRule,
  retry: retryRule,
  throttle: anything,
  fetch: functionRule,
  hooks: (hooks) => (hooks === false ? undefined : hooksObject(hooks)),
  logger: loggerRule,
  logLevel: logLevelRule,
  sendCallId: booleanRule,
  schemas: recordOf((schema) => (schema === undefined ? undefined : schemaRule(schema))),
  validateResponses: oneOf(['report', 'throw']),
  appInfo: objectOf<AppInfo>({ name: nameRule, version: nameRule }, ['name']),
  dangerouslyAllowBrowser: booleanRule,
  dangerouslyAllowHttp: booleanRule,
};

export const optionsRule = objectOf(optionFields, [], AN_OBJECT, OTHER_OPTIONS);
