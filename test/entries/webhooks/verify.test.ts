import { ConfigurationError, EmailPlatformError } from 'email-platform';
import {
  verifyWebhook,
  WebhookPayloadError,
  WebhookSignatureError,
  type WebhookPayload,
} from 'email-platform/webhooks';
import fc from 'fast-check';
import { spawnSync } from 'node:child_process';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { isEqual } from '../../../src/entries/webhooks/signatures.ts';
import { rejection } from '../../support/expect-error.ts';
import { everythingOf } from '../../support/everything-of.ts';
import { delivery, SECRET, signatureOf, signed } from '../../support/signed.ts';

afterEach(() => void vi.restoreAllMocks());

/** Text in which a change of encoding, of escapes or of spaces shows. */
const BODY = `{"events": [{"event":"click","url":"https://example.com/?q=caf\\u00e9&x=/","email":"zoë@example.org"} ]}\n`;

const verify = (payload: unknown, signature: unknown, secret: unknown = SECRET) =>
  verifyWebhook({
    payload: payload as WebhookPayload,
    signature: signature as string,
    secret: secret as string,
  });
const refused = async (payload: unknown, signature: unknown, secret?: unknown) =>
  (await rejection(verify(payload, signature, secret), WebhookSignatureError)).code;

/** Other programs that can make the signature, each by its own means; undefined where one is not installed. */
const WITNESSES: Readonly<Record<string, (body: string) => string | undefined>> = {
  openssl: (body) => {
    const { status, stdout } = spawnSync('openssl', ['dgst', '-sha256', '-hmac', SECRET], { input: body });
    return status === 0 ? /[\da-f]{64}/.exec(String(stdout))?.[0] : undefined;
  },
  python3: (body) => {
    const program =
      'import hashlib, hmac, sys; print(hmac.new(sys.argv[1].encode(), sys.stdin.buffer.read(), hashlib.sha256).hexdigest())';
    const { status, stdout } = spawnSync('python3', ['-c', program, SECRET], { input: body });
    return status === 0 ? String(stdout).trim() : undefined;
  },
};
const found = Object.entries(WITNESSES).filter(([, sign]) => sign('') !== undefined);
if (found.length === 0)
  process.stderr.write(
    '\n*** The signatures of other programs are NOT TESTED: there is neither openssl nor python3.\n\n',
  );

describe('A signature is accepted', () => {
  test.skipIf(found.length === 0)('that another program made', async () => {
    for (const [, sign] of found) {
      for (const body of [BODY, '', 'é\u0000\n', 'x'.repeat(100_000)]) await verify(body, sign(body));
      expect(await refused(BODY, sign(`${BODY} `))).toBe('webhook_signature_invalid');
    }
  });

  test('of the published test case for HMAC-SHA256 (RFC 4231, 4.3)', async () => {
    const mac = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    await verify('what do ya want for nothing?', mac, 'Jefe');
  });

  test('for the body as text, as bytes, as part of a larger buffer', async () => {
    const bytes = new TextEncoder().encode(BODY);
    const larger = new Uint8Array(bytes.length + 20);
    larger.set(bytes, 7);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    const part = larger.subarray(7, 7 + bytes.length);
    const view = new DataView(larger.buffer, 7, bytes.length);
    for (const payload of [BODY, bytes, bytes.slice().buffer, part, view, Buffer.from(BODY), shared])
      await verify(payload, signatureOf(BODY));
  });

  test('by any of several secrets, when two webhooks post to one address', async () => {
    const other = 'f'.repeat(32);
    await verify(BODY, signatureOf(BODY), [other, SECRET]);
    await verify(BODY, signatureOf(BODY, other), [other, SECRET]);
    await verify(BODY, [signatureOf(BODY)]);
    expect(await refused(BODY, signatureOf(BODY, 'third'), [other, SECRET])).toBe(
      'webhook_signature_invalid',
    );
  });

  test('for the body as it was when it was given', async () => {
    const bytes = new TextEncoder().encode(BODY);
    for (const payload of [bytes, bytes.buffer]) {
      const verified = verify(payload, signatureOf(BODY));
      const before = bytes.slice();
      bytes.fill(0);
      await verified;
      bytes.set(before);
    }
  });
});

describe('A signature is refused', () => {
  test('when it is missing', async () => {
    for (const none of [undefined, null, '', []])
      expect(await refused(BODY, none)).toBe('webhook_signature_missing');
  });

  test('when it is cut, longer, in capitals, prefixed, or two', async () => {
    const mac = signatureOf(BODY);
    const wrong = [
      mac.slice(0, -1),
      `${mac}0`,
      mac.toUpperCase(),
      `sha256=${mac}`,
      [mac, mac],
      ` ${mac}`,
      5,
      {},
    ];
    for (const signature of wrong) expect(await refused(BODY, signature)).toBe('webhook_signature_invalid');
  });

  test('when it was made with another secret, or the secret as bytes', async () => {
    expect(await refused(BODY, signatureOf(BODY, 'other'))).toBe('webhook_signature_invalid');
    const { createHmac } = await import('node:crypto');
    const asBytes = createHmac('sha256', Buffer.from(SECRET, 'hex')).update(BODY).digest('hex');
    expect(await refused(BODY, asBytes)).toBe('webhook_signature_invalid');
  });

  test('when the body was cut, parsed and written again, or decoded and encoded again', async () => {
    const bytes = Buffer.from(BODY);
    const changed = [
      BODY.slice(0, -1),
      BODY.trimEnd(),
      JSON.stringify(JSON.parse(BODY)),
      `\ufeff${BODY}`,
      BODY.replaceAll('\n', '\r\n'),
      bytes.toString('latin1'),
      Buffer.from(bytes.toString('ascii')),
    ];
    for (const body of changed)
      expect(await refused(body, signatureOf(BODY))).toBe('webhook_signature_invalid');
    // Bytes that are not UTF-8 become others in a text.
    const raw = new Uint8Array([0x7b, 0xff, 0x7d]);
    await verify(raw, signatureOf(raw));
    expect(await refused(new TextDecoder().decode(raw), signatureOf(raw))).toBe('webhook_signature_invalid');
  });

  test('when any bit of the body or of the signature is another', async () => {
    const bytes = fc.uint8Array({ minLength: 1, maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(bytes, fc.nat(), fc.nat(255), async (body, at, bit) => {
        const mac = Buffer.from(signatureOf(body), 'hex');
        await verify(body, mac.toString('hex'));
        const other = Uint8Array.from(body);
        const index = at % other.length;
        other[index] = (other[index] ?? 0) ^ (1 << (bit % 8));
        expect(await refused(other, mac.toString('hex'))).toBe('webhook_signature_invalid');
        const place = at % mac.length;
        mac[place] = (mac[place] ?? 0) ^ (1 << (bit % 8));
        expect(await refused(body, mac.toString('hex'))).toBe('webhook_signature_invalid');
      }),
    );
  });

  test('after a comparison of all bytes, which takes as long for any signature', () => {
    const bytesRead = (one: readonly number[], other: readonly number[]) => {
      let read = 0;
      const counted = new Proxy(one, {
        get: (target, name) => {
          if (name !== 'length') read += 1;
          return Reflect.get(target, name) as unknown;
        },
      });
      return [isEqual(counted, other), read];
    };
    expect(bytesRead([1, 2, 3], [1, 2, 3])).toEqual([true, 3]);
    expect(bytesRead([1, 2, 3], [0, 2, 3])).toEqual([false, 3]);
    expect(bytesRead([1, 2, 3], [1, 2, 0])).toEqual([false, 3]);
    expect(bytesRead([1, 2, 3], [1, 2])).toEqual([false, 3]);
  });
});

describe('A signature is found among the headers', () => {
  const signature = signatureOf(BODY);
  const others = { 'content-type': 'application/json', 'x-hash': 'f'.repeat(64), 'set-cookie': ['a', 'b'] };

  test('of Node, or of a Headers', async () => {
    await verifyWebhook({ payload: BODY, headers: { ...others, 'x-any': signature }, secret: SECRET });
    await verifyWebhook({ payload: BODY, headers: { 'x-any': ['x', signature] }, secret: SECRET });
    const headers = new Headers({ 'x-hash': 'f'.repeat(64), 'x-any': signature });
    await verifyWebhook({ payload: BODY, headers, secret: ['other', SECRET] });
  });

  test('but only in the one that is named, if one is', async () => {
    const headers = { 'x-any': signature, 'x-named': 'f'.repeat(64) };
    await verifyWebhook({ payload: BODY, headers, secret: SECRET, signatureHeader: 'X-Any' });
    const codeWith = async (signatureHeader: string) =>
      (
        await rejection(
          verifyWebhook({ payload: BODY, headers, secret: SECRET, signatureHeader }),
          WebhookSignatureError,
        )
      ).code;
    expect(await codeWith('x-named')).toBe('webhook_signature_invalid');
    expect(await codeWith('x-absent')).toBe('webhook_signature_missing');
    const given = { payload: BODY, headers, signature: 'f'.repeat(64), secret: SECRET };
    expect((await rejection(verifyWebhook(given), WebhookSignatureError)).code).toBe(
      'webhook_signature_invalid',
    );
  });

  test('by its form: anything else is not a signature', async () => {
    const near = {
      a: signature.slice(1),
      b: `sha256=${signature}`,
      c: signature.toUpperCase(),
      d: undefined,
    };
    const error = await rejection(
      verifyWebhook({ payload: BODY, headers: near, secret: SECRET }),
      WebhookSignatureError,
    );
    expect(error.code).toBe('webhook_signature_missing');
  });

  test('behind any number of other headers', async () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`x-${index}`, String(index)]));
    await verifyWebhook({ payload: BODY, headers: { ...many, 'x-any': signature }, secret: SECRET });
    // A `Headers` lists its names in order.
    const headers = new Headers({ ...many, 'y-any': signature });
    await verifyWebhook({ payload: BODY, headers, secret: SECRET });
  });

  test('the first sixteen, with one HMAC for each secret', async () => {
    const sign = vi.spyOn(crypto.subtle, 'sign');
    const forged = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, 'f'.repeat(64)]));
    await verifyWebhook({
      payload: BODY,
      headers: { ...forged(15), last: signature },
      secret: ['a', SECRET],
    });
    expect(sign).toHaveBeenCalledTimes(2);
    await rejection(
      verifyWebhook({ payload: BODY, headers: { ...forged(16), last: signature }, secret: SECRET }),
      WebhookSignatureError,
    );
    sign.mockRestore();
  });

  test('unless they cannot be listed, and no header is named', async () => {
    const headers = { get: (name: string) => (name === 'x-any' ? signature : null) };
    const error = await rejection(
      verifyWebhook({ payload: BODY, headers, secret: SECRET }),
      ConfigurationError,
    );
    expect(error.message).toBe('signatureHeader is missing: the headers of this request cannot be listed');
    await verifyWebhook({ payload: BODY, headers, secret: SECRET, signatureHeader: 'x-any' });
  });
});

describe('A mistake of the receiver is a ConfigurationError', () => {
  const optionOf = async (verified: Promise<void>) => (await rejection(verified, ConfigurationError)).option;

  test('a body that has been parsed', async () => {
    for (const payload of [{ events: [] }, [delivery], 5])
      expect(await optionOf(verify(payload, signatureOf(BODY)))).toBe('payload');
  });

  test('but a post without a body is a mistake of its sender, as a parser leaves it', async () => {
    for (const payload of [undefined, null, {}])
      for (const signature of [undefined, signatureOf(BODY)]) {
        const { code, message } = await rejection(verify(payload, signature), WebhookPayloadError);
        expect(code).toBe('webhook_payload_unreadable');
        expect(message).toContain("a body parser skipped it: in Express, use express.raw({ type: '*/*' })");
      }
  });

  test('a secret that is not there, so that nothing is verified with an empty one', async () => {
    for (const secret of [undefined, null, '', [], [SECRET, ''], [undefined], 5])
      expect(await optionOf(verifyWebhook({ ...signed(BODY), secret: secret as string }))).toBe('secret');
    expect(await optionOf(verify(BODY, signatureOf(BODY, ''), ''))).toBe('secret');
  });

  test('no argument at all', async () => {
    for (const nothing of [undefined, null, 5, 'x'])
      expect(await optionOf(verifyWebhook(nothing as never))).toBe('payload');
  });
});

test('no error has the body, the signature or the secret in it', async () => {
  const body = JSON.stringify({ events: [{ ...delivery, email: 'private-address@example.org' }] });
  const wrong = 'abcdef01'.repeat(8);
  const errors = await Promise.all(
    [
      verify(body, wrong),
      verify(body, undefined),
      verify(body, `${wrong}0`),
      verify({ body }, wrong),
      verify(body, wrong, [SECRET, '']),
    ].map((verified) => rejection(verified, EmailPlatformError)),
  );
  for (const error of errors) {
    const everything = everythingOf(error);
    expect(everything).not.toMatch(/private-address|abcdef01/);
    expect(everything).not.toContain(SECRET);
    expect(error.effect).toBe('none');
  }
});

describe('The named header', () => {
  const signature = signatureOf(BODY);
  const verifyNamed = (headers: unknown) =>
    verifyWebhook({
      payload: BODY,
      headers: headers as Headers,
      secret: SECRET,
      signatureHeader: 'X-Post-Signature',
    });

  test('is found in any case, in headers of any kind', async () => {
    for (const name of ['x-post-signature', 'X-Post-Signature', 'X-POST-SIGNATURE']) {
      const record = { 'Content-Type': 'application/json', [name]: signature };
      // As Node, API Gateway with one value and with several, a `Headers`, and a double pass them.
      const all = [record, { [name]: [signature] }, new Headers(record), new Map(Object.entries(record))];
      for (const headers of all) await verifyNamed(headers);
    }
  });

  test('may be there twice, in two cases, and is not an inherited property', async () => {
    await verifyNamed({ 'X-Post-Signature': '0'.repeat(64), 'x-post-signature': signature });
    const inherited = Object.create({ 'x-post-signature': signature }) as object;
    for (const headers of [inherited, {}, { 'x-other': signature }, { 'x-post-signature': undefined }])
      expect((await rejection(verifyNamed(headers), WebhookSignatureError)).code).toBe(
        'webhook_signature_missing',
      );
  });
});

test.each([BODY, '[]', '{"event":"open"}\n{"event":"click"}', '{}'])(
  'a body that a function host passed as base64 is named in the error: %s',
  async (body) => {
    const passed = Buffer.from(body).toString('base64');
    for (const payload of [passed, Buffer.from(passed)]) {
      const { message } = await rejection(verify(payload, signatureOf(body)), WebhookSignatureError);
      expect(message).toContain('the body is base64');
    }
    const { message } = await rejection(verify(`${body} `, signatureOf(body)), WebhookSignatureError);
    expect(message).not.toContain('base64');
  },
);
