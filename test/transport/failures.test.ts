import { describe, expect, test } from 'vitest';
import { diagnose } from '../../src/transport/runtimes/failures.ts';

/** An error as Node's, whose message is `message` and nothing that proves anything. */
const errorWith = (fields: object, message = 'failed') => Object.assign(new Error(message), fields);

const unknown = { phase: 'unknown', effect: 'unknown' };
const exchange = { phase: 'exchange', effect: 'unknown' };
const refused = errorWith({ syscall: 'connect', code: 'ECONNREFUSED' });
const notFound = errorWith({ syscall: 'getaddrinfo', code: 'ENOTFOUND' });
const reset = errorWith({ syscall: 'read', code: 'ECONNRESET' });

describe('A code of TLS proves that no request was sent', () => {
  test.each([
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ])('%s', (code) => {
    expect(diagnose(errorWith({ code }))).toEqual({ phase: 'tls', effect: 'none' });
    // It counts whichever system call reported it.
    expect(diagnose(errorWith({ code, syscall: 'read' }))).toEqual({ phase: 'tls', effect: 'none' });
  });

  test.each(['ERR_SSL_WRONG_VERSION_NUMBER', 'EPROTO'])('%s alone does not', (code) => {
    expect(diagnose(errorWith({ code, syscall: 'write' }))).toEqual({ phase: 'tls', effect: 'unknown' });
  });
});

describe('A text that is only similar proves nothing', () => {
  /** Where the sign stands in an error of a real failure, and where somebody else could have written it. */
  const signs = [
    'getaddrinfo ENOTFOUND api.test',
    'connect ECONNREFUSED 127.0.0.1:443',
    'UND_ERR_CONNECT_TIMEOUT connect timeout',
    'CERT_HAS_EXPIRED certificate has expired',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT',
    'ERR_SSL_WRONG_VERSION_NUMBER in the record',
    'EPROTO in the record',
    'ECONNREFUSED: Unable to connect. Is the computer able to access the url?',
    'Was there a typo in the url or port?',
    'error sending request for url (https://api.test/): client error (Connect): dns error',
    'error sending request for url (https://api.test/): client error (Connect): invalid peer certificate',
    'error sending request for url (https://api.test/): client error (Connect): tcp connect error',
  ];

  test.each(signs)('in a message, after other words: %s', (sign) => {
    expect(diagnose(new Error(`the gateway said: ${sign}`))).toEqual(unknown);
    expect(diagnose(new Error(`gateway: ${sign}`))).toEqual(unknown);
    expect(diagnose(errorWith({ code: 'EGATEWAY' }, `it said: ${sign}`))).toEqual(exchange);
    expect(diagnose(errorWith({ syscall: 'read', code: 'EGATEWAY' }, `it said: ${sign}`))).toEqual(exchange);
  });

  test.each([
    ['a message that begins like a system call', new Error('connect ECONNREFUSED 127.0.0.1:443')],
    ['a message that begins like another', new Error('getaddrinfo ENOTFOUND api.test')],
    ['a message that begins with a code', new Error('CERT_HAS_EXPIRED certificate')],
    ['a message that begins with a code of undici’s', new Error('UND_ERR_CONNECT_TIMEOUT timeout')],
    ['words before Deno’s', new Error('Error: error sending request for url (a): client error (Connect)')],
    ['an address of two words', new Error('error sending request for url a b: client error (Connect)')],
  ])('%s', (_, error) => {
    expect(diagnose(error)).toEqual(unknown);
  });

  test.each([
    ['a longer system call', { syscall: 'connectat', code: 'E' }],
    ['one that ends the same', { syscall: 'reconnect', code: 'E' }],
    ['one of two words', { syscall: 're connect', code: 'E' }],
    ['a longer lookup', { syscall: 'getaddrinfo2', code: 'E' }],
    ['a lookup that ends the same', { syscall: 'mygetaddrinfo', code: 'E' }],
    ['a longer code', { code: 'UND_ERR_CONNECT_TIMEOUT_2' }],
    ['a code that ends the same', { code: 'MY_UND_ERR_CONNECT_TIMEOUT' }],
    ['a code of a certificate, further on', { code: 'MY_CERT_HAS_EXPIRED' }],
    ['a certificate that could be got', { code: 'UNABLE_TO_SEND_REQUEST' }],
    ['a longer code of TLS', { code: 'EPROTOCOL' }],
    ['a code that ends like one of TLS', { code: 'MY_EPROTO' }],
    ['a system call of two words, with a code of TLS', { syscall: 'a read', code: 'CERT_HAS_EXPIRED' }],
    ['the same with undici’s code', { syscall: 'a read', code: 'UND_ERR_CONNECT_TIMEOUT' }],
    ['the same with EPROTO', { syscall: 'a read', code: 'EPROTO' }],
  ])('%s', (_, fields) => {
    expect(diagnose(errorWith(fields))).toEqual(exchange);
  });

  test('a message of Bun with a system call follows Node’s rules', () => {
    const message = 'Unable to connect. Is the computer able to access the url?';
    expect(diagnose(errorWith({ code: 'E' }, message))).toEqual({ phase: 'connect', effect: 'none' });
    expect(diagnose(errorWith({ syscall: 'read', code: 'E' }, message))).toEqual(exchange);
    expect(diagnose(errorWith({ code: 'E F' }, message))).toEqual(exchange);
    expect(diagnose(new Error(message))).toEqual(unknown);
  });

  test('a message of Deno about a request in flight, whatever its prefix', () => {
    const message = 'error sending request from 127.0.0.1:1 for http://a: client error (SendRequest): closed';
    expect(diagnose(new Error(message))).toEqual(exchange);
    expect(diagnose(errorWith({ syscall: 'read' }, message))).toEqual(exchange);
  });
});

describe('The cause says more', () => {
  /** An error at the end of so many others. */
  const under = (depth: number, error: unknown): unknown =>
    depth === 0 ? error : new TypeError('fetch failed', { cause: under(depth - 1, error) });

  test.each([0, 1, 2, 3, 4])('below %i others', (depth) => {
    expect(diagnose(under(depth, refused))).toEqual({ phase: 'connect', effect: 'none' });
  });

  test('but not below five', () => {
    expect(diagnose(under(5, refused))).toEqual(unknown);
  });

  test('unless the error itself proves something', () => {
    expect(diagnose(Object.assign(under(1, refused) as Error, { syscall: 'getaddrinfo' })).phase).toBe('dns');
  });

  test('and more than a code that proves nothing', () => {
    expect(diagnose(errorWith({ code: 'E', cause: refused }))).toEqual({ phase: 'connect', effect: 'none' });
    expect(diagnose(errorWith({ code: 'E', cause: new Error('x') }))).toEqual(unknown);
    expect(diagnose(errorWith({ code: 'E', cause: undefined }))).toEqual(exchange);
  });

  test('an error that is its own cause ends', () => {
    const error = new Error('fetch failed');
    error.cause = error;
    expect(diagnose(error)).toEqual(unknown);
    expect(diagnose(Object.assign(error, { code: 'E' }))).toEqual(unknown);
  });
});

describe('An AggregateError', () => {
  const several = (...errors: unknown[]) => new AggregateError(errors);

  test('all have to prove that nothing was sent', () => {
    expect(diagnose(several(refused, notFound)).effect).toBe('none');
    expect(diagnose(several(refused, reset))).toEqual(exchange);
    expect(diagnose(several(reset, refused))).toEqual(exchange);
    expect(diagnose(several(refused, reset, refused))).toEqual(exchange);
    expect(diagnose(several(refused, 'a text', refused))).toEqual(unknown);
    expect(diagnose(several(refused, null, refused))).toEqual(unknown);
    expect(diagnose(several())).toEqual(unknown);
  });

  test('nothing counts that stands beside them', () => {
    expect(diagnose(Object.assign(several(reset), { code: 'E', syscall: 'connect' }))).toEqual(exchange);
    expect(diagnose(Object.assign(several(), { code: 'E', syscall: 'connect' }))).toEqual(unknown);
    expect(diagnose(Object.assign(several(refused), { cause: reset })).effect).toBe('none');
  });

  test('nor what stands where no errors do', () => {
    for (const errors of [undefined, null, 7, {}])
      expect(diagnose(Object.assign(several(refused), { errors }))).toEqual(unknown);
  });

  test('each may be several, and the depth is that of causes', () => {
    const nested = (depth: number): unknown => (depth === 0 ? refused : several(refused, nested(depth - 1)));
    expect(diagnose(nested(4))).toEqual({ phase: 'connect', effect: 'none' });
    expect(diagnose(nested(5))).toEqual(unknown);
    expect(diagnose(several(new Error('x', { cause: several(refused, reset) }), refused))).toEqual(exchange);
  });

  test('one that contains itself, many times over, ends at once', () => {
    const error = several();
    error.errors = Array.from({ length: 1_000 }, () => error);
    expect(diagnose(error)).toEqual(unknown);
  });
});

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a text', 'connect ECONNREFUSED'],
  ['a number', 7],
  ['a symbol', Symbol('connect')],
  ['a code that is a number', errorWith({ code: 20 })],
  ['a code that is empty', errorWith({ code: '' })],
  ['fields that cannot be texts', errorWith({ code: Object.create(null) as unknown })],
  ['a symbol as its message', errorWith({ message: Symbol('x') })],
])('nothing is known about %s', (_, error) => {
  expect(diagnose(error)).toEqual(unknown);
});

test('nor about an error whose fields cannot be read', () => {
  const hostile = new Proxy(new Error('x'), {
    get: () => {
      throw new Error('no');
    },
  });
  expect(diagnose(hostile)).toEqual(unknown);
  expect(diagnose(new Error('x', { cause: hostile }))).toEqual(unknown);
});
