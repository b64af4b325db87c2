/** Searches every byte of a file for addresses, in every encoding that a page can have. It shares no code with the mask. */

const base64 = (text: string) => Buffer.from(text, 'base64');

/** UTF-8, and UTF-16 of both orders where there are zero bytes. */
function* textsOf(bytes: Buffer): Iterable<string> {
  yield bytes.toString('utf8');
  yield bytes.toString('latin1');
  if (!bytes.includes(0)) return;
  yield bytes.toString('utf16le');
  yield Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2)))
    .swap16()
    .toString('utf16le');
}

const characterOf = (code: number) => (code <= 0x10ffff ? String.fromCodePoint(code) : '');
const fromHex = (_: string, code: string) => characterOf(parseInt(code, 16));
const bytes = (escaped: string) => Buffer.from(escaped.replace(/[%=]/g, ''), 'hex').toString('utf8');

/** Each way to read the characters of a text. */
const STEPS: readonly ((text: string) => string)[] = [
  (text) => text.replace(/(?:%[\da-f]{2})+/gi, bytes),
  (text) => text.replace(/=\r?\n/g, '').replace(/(?:=[\da-f]{2})+/gi, bytes),
  (text) =>
    text
      .replace(/\\+u([\da-f]{4})/gi, fromHex)
      .replace(/\\+x([\da-f]{2})/gi, fromHex)
      .replace(/\\+([/"])/g, '$1')
      .replace(/\\+r\\+n|\\+n/g, '\n'),
  (text) =>
    text
      .replace(/&#x([\da-f]{1,6});?/gi, fromHex)
      .replace(/&#(\d{1,7});?/g, (_, code: string) => characterOf(Number(code)))
      .replace(/&(commat|period|amp|shy|lt|gt|quot);/gi, (whole, name: string) => {
        const characters: Record<string, string> = {
          commat: '@',
          period: '.',
          amp: '&',
          shy: '',
          lt: '<',
          gt: '>',
          quot: '"',
        };
        return characters[name.toLowerCase()] ?? whole;
      }),
  (text) =>
    text.replace(/=\?([\w-]+)\?([bq])\?([^?]*)\?=\s*/gi, (_, charset: string, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? base64(word).toString(charset.includes('16') ? 'utf16le' : 'utf8')
        : word.replace(/_/g, ' ').replace(/=([\da-f]{2})/gi, fromHex),
    ),
];

/** A text as a reader sees it: without tags and characters of no width, in lower case. */
const seen = (text: string) =>
  text
    .normalize('NFKC')
    .replace(/<\/?[a-z!][^<>@]*>/gi, '')
    .replace(/\u034f/g, '')
    .replace(/[\ufe00-\ufe0f]/g, '')
    .replace(/[\0\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
    .toLowerCase();

/** The texts that stand in a text, packed: in base64 at each of four positions, and in hexadecimal digits. */
function* packedIn(text: string): Iterable<string> {
  for (const [run] of text.matchAll(/[\w+/-]{8,}(?:\r?\n[\w+/-]{4,})*/g)) {
    const digits = run.replace(/\s/g, '');
    for (const skip of [0, 1, 2, 3]) yield* textsOf(base64(digits.slice(skip)));
  }
  for (const [run] of text.matchAll(/[\da-f]{12,}/gi))
    for (const skip of [0, 1]) yield* textsOf(Buffer.from(run.slice(skip), 'hex'));
}

/** The addresses that are in a text, decoded up to `depth` times. */
export function found(text: string, addresses: readonly string[], depth = 3): string[] {
  const wanted = addresses.map((address) => address.normalize('NFKC').toLowerCase());
  const forms = wanted.flatMap((address) => [
    [address, address] as const,
    [address, address.replace(/@(?=[^@]*$)/, '=')] as const,
  ]);
  const there = new Set<string>();
  const known = new Set<string>();
  const search = (one: string, left: number) => {
    if (known.has(one)) return;
    known.add(one);
    for (const shown of new Set([one.toLowerCase(), seen(one)]))
      for (const [address, form] of forms) if (shown.includes(form)) there.add(address);
    if (left === 0) return;
    for (const step of STEPS) {
      const next = step(one);
      if (next !== one) search(next, left - 1);
    }
    for (const next of packedIn(one)) search(next, left - 1);
  };
  search(text, depth);
  return [...there];
}
