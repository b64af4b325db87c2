/**
 * Deliberate mistakes against the promises, for `npm run mutation -- promises`. Each changes one place of the sources, and
 * at least one of its tests has to fail. A text has to stand exactly once in its file: `rows.test.ts` finds stale rows.
 */

/** The promises, in the words of the README. */
export const PROMISES = ['never twice', 'within the limits', 'masked', 'typed templates'] as const;

export interface Mistake {
  readonly promise: (typeof PROMISES)[number];
  /** The consequence for a user. */
  readonly what: string;
  /** Below `src`. */
  readonly file: string;
  readonly text: string;
  readonly replacement: string;
  /** Files or folders below `test`. */
  readonly tests: readonly string[];
}

type Row = readonly [
  what: string,
  file: string,
  text: string,
  replacement: string,
  ...tests: readonly [string, ...string[]],
];

const rows: Readonly<Record<Mistake['promise'], readonly Row[]>> = {
  'never twice': [
    [
      'two processes may hold one key of SQLite',
      'journal/sqlite-store.ts',
      "(state = 'claimed' AND lease_ends_at <= excluded.changed_at)",
      "state = 'claimed'",
      'journal/sqlite.test.ts',
    ],
    [
      'an accepted key of SQLite can be claimed again',
      'journal/sqlite-store.ts',
      "  WHERE state = 'released'\n",
      "  WHERE state <> 'claimed'\n",
      'journal/sqlite.test.ts',
    ],
    [
      'a key that may have been sent is free in SQLite once its take-over was released',
      'journal/sqlite-store.ts',
      "maybe_sent = maybe_sent OR state <> 'released'",
      'maybe_sent = maybe_sent',
      'journal/sqlite.test.ts',
    ],
    [
      'another attempt releases a key of SQLite',
      'journal/sqlite-store.ts',
      "lease_ends_at = ${NOW}, changed_at = ${NOW}\n  WHERE namespace = ? AND key = ? AND stream = ? AND attempt = ? AND state = 'claimed'",
      "lease_ends_at = ${NOW}, changed_at = ${NOW}\n  WHERE namespace = ? AND key = ? AND stream = ? AND attempt > ? AND state = 'claimed'",
      'journal/sqlite.test.ts',
    ],
    [
      'keys in flight are forgotten in SQLite',
      'journal/sqlite-store.ts',
      "AND changed_at < ?\n  AND NOT (state = 'claimed' AND lease_ends_at > ${NOW})`",
      'AND changed_at < ?`',
      'journal/sqlite.test.ts',
    ],
    [
      'a batch is claimed in part if SQLite fails in its middle',
      'journal/sqlite-store.ts',
      "db.exec('ROLLBACK')",
      "db.exec('COMMIT')",
      'journal/sqlite.test.ts',
    ],
    [
      'one key in two test inboxes is one email',
      'journal/keys/keyed-mail.ts',
      "stream === 'sandbox' ? sandboxInboxId : null",
      'null',
      'journal/send.test.ts',
    ],
    [
      'a key counts for every content',
      'journal/keys/keyed-mail.ts',
      "hash === other || hash.split(':')[0] !== other.split(':')[0]",
      'hash !== other || hash === other',
      'journal/send.test.ts',
    ],
    [
      'a key is sent again as soon as the log does not have it',
      'journal/keys/claims.ts',
      'isAbsent && this.#dueInMs(entry) <= 0',
      'isAbsent',
      'journal/send.test.ts',
    ],
    [
      'a send whose log could not be read is sent again',
      'journal/keys/claims.ts',
      "const isAbsent = failure === undefined && mail.stream !== 'sandbox'",
      "const isAbsent = mail.stream !== 'sandbox'",
      'journal/send.test.ts',
    ],
    [
      'a send is repeated after its response was lost',
      'transport/retry-policy.ts',
      "return isRepeatable ? 'connection_lost' : undefined",
      "return 'connection_lost'",
      'transport/retry.test.ts',
      'transport/retry-policy.test.ts',
    ],
    [
      'a 500 proves that nothing was sent',
      'core/effect.ts',
      "|| status === 501 ? 'none' : 'unknown'",
      "|| status >= 500 ? 'none' : 'unknown'",
      'core/effect.test.ts',
      'transport/retry.test.ts',
    ],
    [
      'a withdrawn call is sent again',
      'transport/retry.ts',
      'if (call.isWithdrawn || call.isSteered) return false;',
      'if (call.isSteered) return false;',
      'resources/sending/batch-all-stop.test.ts',
    ],
    [
      'a settlement goes on past the deadline of its call',
      'transport/retry.ts',
      '  call.check();\n  if (settled === undefined) throw lost;',
      '  if (settled === undefined) throw lost;',
      'transport/retry.test.ts',
    ],
  ],
  'within the limits': [
    [
      'a permit returns when its request leaves, not a window after the response',
      'throttle/permit-window.ts',
      "case 'answered':\n      return now + perMs;",
      "case 'answered':\n      return now;",
      'throttle/permit-window.test.ts',
      'throttle/throttle.test.ts',
    ],
    [
      'an abandoned request is counted for one window only',
      'throttle/permit-window.ts',
      'return Math.max(now, grantedAt + timeoutMs) + perMs;',
      'return now + perMs;',
      'throttle/permit-window.test.ts',
      'throttle/throttle.test.ts',
    ],
    [
      'a request that timed out is counted for one window only',
      'throttle/permit-window.ts',
      'return now + timeoutMs + perMs;',
      'return now + perMs;',
      'throttle/permit-window.test.ts',
      'throttle/throttle.test.ts',
    ],
    [
      'requests in flight are not counted',
      'throttle/pool.ts',
      'return this.#inFlight + this.#returns.length;',
      'return this.#returns.length;',
      'throttle/throttle.test.ts',
    ],
    [
      'a refusal does not close its pool',
      'throttle/pool.ts',
      'this.blockedUntil = until;',
      '',
      'throttle/slow-start.test.ts',
    ],
    [
      'a closed pool is forgotten, and its successor sends',
      'throttle/pool.ts',
      'if (now < this.blockedUntil) return 0;',
      '',
      'throttle/keys.test.ts',
    ],
    [
      'a refused pool opens with a burst',
      'throttle/pool.ts',
      'return now < this.#slowUntil ? this.#slowStart : Infinity;',
      'return Infinity;',
      'throttle/slow-start.test.ts',
    ],
    [
      'permits of other clients are not set aside',
      'throttle/pool.ts',
      'if (held <= 0 || now < this.blockedUntil) return;',
      'return;',
      'throttle/foreign-use.test.ts',
    ],
    [
      'a request counts against one of its two pools',
      'throttle/pool-throttle.ts',
      'for (const pool of permit.pools) pool.take(permit, now);',
      'for (const pool of permit.pools.slice(0, 1)) pool.take(permit, now);',
      'throttle/two-pools.test.ts',
    ],
    [
      'a queued permit is granted while one of its pools is full',
      'throttle/pool-throttle.ts',
      'if (first.pools.every((each) => each.roomAt(now) <= now)) next = first;',
      'next = first;',
      'throttle/two-pools.test.ts',
    ],
    [
      'a later call overtakes the queue',
      'throttle/pool-throttle.ts',
      'pool.waiting === 0 && pool.roomAt(now) <= now',
      'pool.roomAt(now) <= now',
      'throttle/queue.test.ts',
    ],
    [
      'two accounts share a limit',
      'throttle/pool-throttle.ts',
      "return name === 'token' ? token : (accountId ?? token);",
      "return name === 'token' ? token : 0;",
      'throttle/two-pools.test.ts',
    ],
    [
      'a retry waits behind first attempts',
      'throttle/permit.ts',
      '(isRetry ? 0 : 1)',
      '(isRetry ? 1 : 0)',
      'throttle/queue-order.test.ts',
    ],
    [
      'empty queues are kept for ever',
      'throttle/queues.ts',
      'if (queue?.size !== 0) return;',
      'return;',
      'throttle/queues.test.ts',
    ],
    [
      'idle tokens and accounts are kept for ever',
      'throttle/pool-throttle.ts',
      'if (Object.values(owned).every((pool) => pool.isIdle(now))) this.#owners.delete(owner);',
      'void owned, owner;',
      'throttle/many-tenants.test.ts',
      'throttle/keys.test.ts',
    ],
  ],
  'typed templates': [
    [
      'the path to a tested variable is optional',
      'handlebars/shape.ts',
      '!(isTest && index === names.length - 1)',
      '!isTest',
      'templates/types-file.test.ts',
    ],
    [
      'variables in the else of a loop are in no type',
      'handlebars/shape.ts',
      'loops, params: named });\n      this.nodes(otherwise, scope);',
      'loops, params: named });',
      'templates/types-file.test.ts',
    ],
    [
      'variables in the else of a condition are in no type',
      'handlebars/shape.ts',
      'this.nodes(otherwise, guarded);',
      '',
      'templates/types-file.test.ts',
    ],
    [
      'a variable is optional although it is read outside its condition',
      'handlebars/shape.ts',
      'if (isNeeded) from.neededAt ??= place;',
      'if (isNeeded && index > 0) from.neededAt ??= place;',
      'templates/types-file.test.ts',
    ],
    [
      'a tested variable is required inside its condition',
      'handlebars/shape.ts',
      ' && !scope.guards.has(from);',
      ';',
      'templates/types-file.test.ts',
    ],
    [
      'a variable of an outer block is taken for one of the inner block',
      'handlebars/shape.ts',
      'depth === 0 ? here : (around[depth - 1] ?? new Shape())',
      'depth === 0 ? here : (around[depth] ?? new Shape())',
      'templates/types-file.test.ts',
    ],
    [
      'a block parameter is taken for a variable',
      'handlebars/shape.ts',
      'named.set(param, index === 0 ? list.element() : new Shape());',
      'named.set(param, new Shape());',
      'templates/types-file.test.ts',
    ],
    [
      '`@root.name` is in no type',
      'handlebars/shape.ts',
      '[from, names] = [this.#variables, names.slice(1)];',
      '[from, names] = [new Shape(), names.slice(1)];',
      'templates/types-file.test.ts',
    ],
    [
      'a loop over the keys of an object takes lists only',
      'handlebars/shape.ts',
      'if (loop !== undefined) loop.hasKeys = true;',
      '',
      'templates/types-file.test.ts',
    ],
    [
      'a variable of a list is one of its elements',
      'templates/type-text.ts',
      'return [...(lists.length > 0 ? [list] : []), ...(others.length > 0 ? [record] : [])];',
      'return [record];',
      'templates/types-file.test.ts',
    ],
    [
      'a name with a space is written without quotes',
      'templates/type-text.ts',
      'isName(name) ? name : JSON.stringify(name)',
      'name',
      'templates/types-file.test.ts',
    ],
    [
      'a variable whose example is null must not be null',
      'templates/type-text.ts',
      "samples.includes(null) ? [...types, 'null'] : types",
      'types',
      'templates/types-file.test.ts',
    ],
  ],
  masked: [
    [
      'base64 behind other letters, such as a path, keeps its address',
      'testing/report/mask/packed.ts',
      'skip < 4; skip += 1',
      'skip < 1; skip += 1',
      'testing/report/mask/masked-report.test.ts',
    ],
    [
      'a percent-encoded address within base64 stays',
      'testing/report/mask/hide.ts',
      '      if (this.#finder.find(reading.text).length > 0) return true;',
      '      if (this.#finder.find(text).length > 0) return true;',
      'testing/report/mask/masking-search.test.ts',
    ],
    [
      'an address in upper case stays',
      'testing/report/mask/mask.ts',
      '.toLowerCase();\n    const found',
      '\n    const found',
      'testing/report/mask/masked-report.test.ts',
    ],
    [
      'a text attachment stays in the source',
      'testing/report/mask/masked.ts',
      'content: null }',
      '...(/^text/.test(file.type) ? {} : { content: null }) }',
      'testing/report/',
    ],
    [
      'a binary attachment stays in the source',
      'testing/report/mask/masked.ts',
      'source === null ? null : sourceOf(shown)',
      'source || (source === null ? null : sourceOf(shown))',
      'testing/report/',
    ],
    [
      'attachments are embedded in a report with masked addresses',
      'testing/report/mask/masked.ts',
      '{ ...inAll(file, mask), content: null }',
      'inAll(file, mask)',
      'testing/report/mask/masked-report.test.ts',
    ],
    [
      'persons that only posts to webhooks name are not masked',
      'testing/report/mask/persons.ts',
      'for (const { body } of posts)',
      'for (const { body } of posts.slice(0, 0))',
      'testing/report/mask/masked-report.test.ts',
    ],
    [
      'persons that only responses name are not masked',
      'testing/report/mask/persons.ts',
      'addFromBody(details.responseBody',
      'addFromBody(null',
      'testing/report/mask/masked-report.test.ts',
    ],
    [
      'persons that only the path of a request names are not masked',
      'testing/report/mask/persons.ts',
      'persons.whole(text);\n    persons.inText(text);',
      '',
      'testing/report/',
    ],
    [
      'the header proxy-authorization is shown',
      'testing/service/wire/redacted.ts',
      'credential|authorization|cookie',
      'credential|^authorization|cookie',
      'testing/report/',
    ],
    [
      'the password of an inbox is shown',
      'testing/service/wire/redacted.ts',
      '/token|secret|passw|passphrase|',
      '/token|secret|passphrase|',
      'testing/report/',
    ],
    [
      'the signature of a link is shown',
      'testing/service/wire/redacted.ts',
      'return withoutPasswords(shown, add).replace(SIGNATURE, `$1${REDACTED}`)',
      'return withoutPasswords(shown, add)',
      'testing/report/',
    ],
    [
      'a token in base64 stays in an error',
      'transport/redaction.ts',
      'return [secret, decoded(secret), ...(isAscii ? base64Forms(secret) : [])];',
      'return [secret, decoded(secret)];',
      'transport/redaction.test.ts',
    ],
    [
      'a token in the keys of a JSON value stays in an error',
      'transport/redaction.ts',
      '[this.text(key), this.value(item, depth + 1)]',
      '[key, this.value(item, depth + 1)]',
      'transport/redacted-copies.test.ts',
    ],
  ],
};

export const MISTAKES: readonly Mistake[] = PROMISES.flatMap((promise) =>
  rows[promise].map(([what, file, text, replacement, ...tests]) => ({
    promise,
    what,
    file,
    text,
    replacement,
    tests,
  })),
);
