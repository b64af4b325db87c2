/** The defaults of a call: its account, the stream of its emails, and their sender. */
import type { RequestContext, Stream } from '../core/request.ts';
import { NO_OPTIONS } from '../core/request-options.ts';
import { idRule, refuse } from '../core/rules.ts';
import { missing } from '../core/variables.ts';
import { completeMail } from '../resources/sending/mail/input.ts';
import { defaultsRule } from '../resources/sending/mail/rules.ts';
import type { MailDefaults } from '../resources/sending/types.ts';
import { read } from './environment.ts';
import { streamRule } from './option-rules.ts';
import type { EmailPlatformOptions } from './options.ts';

function resolveId(name: 'accountId' | 'sandboxInboxId', option: unknown): number | undefined {
  const { value, label } = read(name, option);
  if (value === undefined) return undefined;
  const id = option === undefined && idRule(value) !== undefined ? Number(value) : value;
  refuse(name, idRule(id), label);
  return id as number;
}

function resolveStream(options: EmailPlatformOptions): Stream {
  const { value = 'transactional', label } = read('stream', options.stream);
  refuse('stream', streamRule(value), label);
  return value as Stream;
}

/** The defaults of emails, addresses as objects; the sender may come from the environment. */
export function resolveDefaults({ defaults }: EmailPlatformOptions): MailDefaults | undefined {
  const own = defaults && completeMail(defaults);
  const { value: sender, label } = read('defaults.from', own?.from);
  if (sender === undefined || own?.from !== undefined) return own;
  const { from } = completeMail({ from: sender });
  refuse('defaults', defaultsRule()({ from }), label);
  return { ...own, from };
}

/** The settings that a request may depend on. */
export function resolveContext(options: EmailPlatformOptions): RequestContext {
  const stream = resolveStream(options);
  const sandboxInboxId = resolveId('sandboxInboxId', options.sandboxInboxId);
  if (stream === 'sandbox' && sandboxInboxId === undefined) throw missing('sandboxInboxId');
  const accountId = resolveId('accountId', options.accountId);
  return { options: NO_OPTIONS, accountId, accountIdOfCall: undefined, stream, sandboxInboxId };
}
