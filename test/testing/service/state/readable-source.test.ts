import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { writeEml } from '../../../../src/testing/service/state/emails/eml.ts';

const mail = {
  from: { email: 'shop@example.com', name: null },
  replyTo: null,
  to: [],
  cc: [],
  subject: 'S',
  headers: {},
  attachments: [],
};
const sourceOf = (text: string | null, html: string | null) =>
  new TextDecoder('latin1').decode(
    writeEml({ ...mail, text, html }, { id: 1, messageId: '<1@example.com>', sentAt: 0 }),
  );

test('a body of plain words can be read in the source, and one of other letters is base64', () => {
  expect(sourceOf('Plain words = few', null)).toContain('\r\n\r\nPlain words =3D few');
  expect(sourceOf('Grüße aus Köln, und noch viel mehr Text', null)).toContain('Gr=C3=BC=C3=9Fe aus');
  expect(sourceOf('Добро пожаловать', null)).toContain('Content-Transfer-Encoding: base64');
});

test('a reader of the source has the bodies as they were, in lines of at most 76 characters', async () => {
  const text = fc
    .array(
      fc.constantFrom(
        'word',
        ' ',
        '\t',
        '=',
        '\n',
        '.',
        'é',
        '😀',
        '--=_part-1-a',
        '--part-1-a',
        'x'.repeat(80),
      ),
      {
        minLength: 1,
        maxLength: 60,
      },
    )
    .map((parts) => parts.join(''))
    .filter((body) => body.trim() !== '');
  await fc.assert(
    fc.asyncProperty(text, text, async (plain, html) => {
      const source = sourceOf(plain, html);
      expect(source.split('\r\n').filter((line) => line.length > 76)).toEqual([]);
      const read = await PostalMime.parse(new Uint8Array(Buffer.from(source, 'latin1')));
      const normal = (body: string | undefined) => body?.replaceAll('\r\n', '\n').replace(/\n+$/, '');
      expect([normal(read.text), normal(read.html)]).toEqual([normal(plain), normal(html)]);
    }),
  );
});
