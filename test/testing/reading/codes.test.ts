import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { said } from './said.ts';

const codes = (html: string) => said({ html }).codes;

describe('A code', () => {
  test.each([
    '<p>Your code is 123456.</p>',
    '<p>123456 is your Acme code</p>',
    '<p>Your code:123456</p>',
    '<p>Your code: "123456" (valid for 10 minutes)</p>',
    '<p>Your code is (123456), sent on 24 November 2026 at 12:30</p>',
    '<p>Code *123456*</p>',
    '<p>确认码：123456，请勿泄露</p><p>验证码是123456。</p>',
    '<p>Your code is</p><p>123456</p>',
    '<table><td>Order 4711</td><td>123456</td></table>',
    '<p>Order 48213, your code is <b>123456</b></p>',
    '<p>Order 48213, your code is <b><i>123</i><i>456</i></b></p>',
    '<p>Order 48213</p><p>Code 123456</p><span>1</span><p><span>1</span><span>2</span><span>3</span><span>4</span><span>5</span><span>6</span></p>',
    '<p>Order 48213, your code:<br>123456<br>Thank you</p>',
    '<p>Your code is 123456</p><p>Repeat: 123456</p>',
    '<p>Your code is 12<!-- -->34<wbr>56</p>',
    '<p>Your code is 123\u200b456</p>',
    '<div style="font-size:0"><span style="font-size:16px">123456</span></div>',
    '<div style="visibility:hidden">4711<b style="visibility:visible">123456</b></div>',
  ])('%s', (html) => {
    expect(codes(html)).toEqual(['123456']);
    expect(said({ html }).code()).toBe('123456');
  });

  test.each([
    ['<p>https://a.test/123456</p>', 'part of "https://a.test/123456"'],
    ['<p>localhost:123456</p>', 'part of "localhost:123456"'],
    ['<p>a123456@b.test</p>', 'part of "a123456@b.test"'],
    ['<p>#123456</p>', 'part of "#123456"'],
    ['<p>FB-123456</p>', 'part of "FB-123456"'],
    ['<p>A123456</p>', 'part of "A123456"'],
    ['<p>+123456</p>', 'part of "+123456"'],
    ['<p>code=1&id=123456</p>', 'part of "code=1&id=123456"'],
    ['<p>2026-1124</p>', 'part of a number, a date or a phone number in groups'],
    ['<p>1234.50</p>', 'part of a number, a date or a phone number in groups'],
    ['<p>1234 5678</p>', 'part of a number, a date or a phone number in groups'],
    ['<p>+49 30 123456</p>', 'part of a number, a date or a phone number in groups'],
    ['<p>(030) 123456</p>', 'part of a number, a date or a phone number in groups'],
    ['<p>24/11/2026</p>', 'part of a number, a date or a phone number in groups'],
    ['<p>€1234</p>', 'an amount'],
    ['<p>1234&nbsp;€</p>', 'an amount'],
    ['<p>USD 123456</p>', 'an amount'],
    ['<p>123456 USD</p>', 'an amount'],
    ['<p>123456円</p>', 'an amount'],
    ['<p>expires in 3600 seconds</p>', 'a quantity'],
    ['<p>Call us at 1234567</p>', 'a phone number'],
    ['<p>Tel: 1234567</p>', 'a phone number'],
    ['<p><a href="tel:1234567">1234567</a></p>', 'a phone number'],
    ['<address>Acme 12345</address>', 'an address'],
    ['<p>Acme, 548 Market St, San Francisco, CA 94103</p>', 'part of an address'],
    ['<p>1600 Amphitheatre Parkway</p>', 'part of an address'],
    ['<p>Musterstraße 1234<br>x</p>', 'part of an address'],
    ['<p>Acme GmbH, 10115 Berlin</p>', 'part of an address'],
    ['<p>10115 Berlin</p>', 'part of an address'],
    ['<p>P.O. Box 12345</p>', 'part of an address'],
    ['<p>© 2026</p>', 'a year'],
    ['<p>24 November 2026</p>', 'a year'],
    ['<b>1999</b>', 'a year'],
  ])('is not in %s', (html, reason) => {
    const { codes: found, reasons, code } = said({ html });
    expect(found).toEqual([]);
    expect(Object.values(reasons)).toContain(reason);
    expect(() => code()).toThrow(`is ${reason}`);
  });

  test.each([
    '<p>123</p>',
    '<p>123456789</p>',
    '<style>.a { width: 123456 }</style><style>123456</style>',
    '<title>123456</title><script>123456</script><!-- 123456 -->',
    '<div style="display:none">123456</div>',
    '<div style="DISPLAY : none !important; display: block">123456</div>',
    '<div style="opacity:0">123456</div><div style="font-size:0px">123456</div>',
    '<div style="max-height:0;overflow:hidden">123456</div>',
    '<div style="visibility:hidden">123456</div>',
    '<div hidden>123456</div>',
    '<style>/* a */ .preheader, p { display: none !important }</style><div class="x preheader">123456</div><p>123456',
    '<style>@media screen and (min-width: 480px) { #a { display: none } }</style><div id=a>123456</div>',
    '<style media="screen">td.a { display: none }</style><table><td class=a>123456</table>',
    '<img alt="x"><input value="123456"><a href="https://a.test/123456" title="123456">x</a>',
  ])('is not in %s', (html) => {
    expect(said({ html }).codes).toEqual([]);
    expect(() => said({ html }).code()).toThrow('has no code of 4 to 8 digits that stand alone');
  });

  test.each([
    '<style>@media (max-width: 480px) { .a { display: none } }</style><p class=a>123456',
    '<style>@media print { .a { display: none } } @media (prefers-color-scheme: dark) { .a { display: none } }</style><p class=a>123456',
    '<style>.a { display: none } #b { display: block }</style><p class=a id=b>123456',
    '<style>.b .a { display: none } .a:hover { display: none }</style><p class=a>123456',
    '<style>@font-face { display: none } .a { color: red }</style><p class=a>123456',
    '<div hidden style="display:block">123456</div>',
    '<div style="height:0">123456</div>',
  ])('is in %s', (html) => {
    expect(codes(html)).toEqual(['123456']);
  });

  test('is ambiguous among several of one rank: the error quotes the text before each', () => {
    const html = '<p>For the app: <b>48213</b></p><p>For the site: <b>123456</b>.</p>';
    expect(() => said({ html }).code()).toThrow(
      'It has 2 codes: "48213" after "For the app:", "123456" after "For the site:". Name one by a pattern',
    );
    expect(said({ html }).code(/site: (\d+)/)).toBe('123456');
    for (const introduced of [
      '<p>Your code for the app: 48213. Your code for the site: 123456.</p>',
      '<p>Your codes are 482135 and 123456.</p>',
      '<p>Recovery codes:</p><p>482135<br>123456</p>',
    ])
      expect(() => said({ html: introduced }).code()).toThrow('It has 2 codes');
  });

  test('in a text is on its own line, or stands alone', () => {
    expect(said({ text: 'Order 48213\r\n\r\n  123456\r\n' }).code()).toBe('123456');
    expect(said({ text: 'Your code is 123456, valid until 12:30.' }).code()).toBe('123456');
  });
});

describe('The rank of a code', () => {
  const ranks = (bodies: Parameters<typeof said>[0]) =>
    said(bodies).content.codes.codes.map(({ value, rank, reason }) => [value, rank, reason]);

  test('is higher after a word for a code than in an element of its own, and higher there than in a sentence', () => {
    const html = '<p>Enter 111111 there.</p><p><b>222222</b></p><p>Your code is 333333.</p>';
    expect(ranks({ html })).toEqual([
      ['333333', 'introduced', 'beside "code"'],
      ['222222', 'alone', 'alone in its element'],
      ['111111', 'other', 'in a sentence that tells to enter it'],
    ]);
    expect(said({ html }).code()).toBe('333333');
    expect(said({ html: html.replace('Your code', 'That') }).code()).toBe('222222');
  });

  test('is the highest of all places with the same digits', () => {
    expect(ranks({ text: '123456\n\nYour PIN is 123456.', subject: '123456' })).toEqual([
      ['123456', 'introduced', 'beside "pin"'],
    ]);
  });

  test('counts for the subject, too', () => {
    expect(ranks({ html: '<p>See the subject.</p>', subject: '482913 is your Harbour code' })).toEqual([
      ['482913', 'introduced', 'beside "code"'],
    ]);
    expect(said({ text: 'See you.', subject: 'Your code: 482 913' }).code()).toBe('482913');
    expect(ranks({ text: 'Thank you.', subject: 'Order 48213 is on its way' })).toEqual([]);
  });

  test.each([
    'Your code is 482913',
    'Your PIN: 482913',
    'Use this one-time passcode to sign in to Harbour Books: 482913',
    'Your verification number is 482913',
    '482913 is your Harbour verification code',
    'Your Harbour code: 482-913',
    'Ihr Bestätigungscode lautet 482913',
    'Ihr Code lautet: 482 913',
    'Die mTAN für Ihre Überweisung: 482913',
    'Votre code de vérification est le 482913',
    'Tu código de verificación es 482913',
    'Il tuo codice di verifica è 482913',
    'O seu código é 482913',
    'Je verificatiecode is 482913',
    'Twój kod weryfikacyjny to 482913',
    'Din bekræftelseskode er 482913',
    'Din verifieringskod: 482913',
    'Vahvistuskoodisi on 482913',
    'Doğrulama kodunuz: 482913',
    'Ваш код подтверждения: 482913',
    '認証コードは「482913」です',
    '認証コード：482913（有効期限10分）',
    '確認番号【482913】を入力してください',
    'ワンタイムパスワードは４８２９１３です',
    '您的验证码是「482913」，请勿泄露',
    '驗證碼：482913（10分鐘內有效）',
    '인증번호는 [482913]입니다',
    '인증 코드: 482913(10분간 유효)',
    'رمز التحقق: ٤٨٢٩١٣',
    'Ihr Einmalpasswort lautet: 482913',
    'Your code: 48 29 13',
    'Your code is 4 8 2 9 1 3',
  ])('is the highest in "%s"', (text) => {
    for (const bodies of [{ text }, { html: `<p>${text}</p>` }, { text: 'See above.', subject: text }])
      expect(ranks(bodies)).toEqual([['482913', 'introduced', expect.any(String)]]);
  });

  test.each([
    'Enter 482913 to sign in.',
    'Use 482913 within ten minutes.',
    'Geben Sie 482913 ein.',
    'Saisissez 482913 pour vous connecter.',
    'Introduce 482913 para entrar.',
    'Введите 482913 на странице входа.',
    '482913を入力してください',
    '<b>482 913</b>',
    '<p>482-913</p>',
    '<table><tr><td>4</td><td>8</td><td>2</td><td>9</td><td>1</td><td>3</td></tr></table><p>482913</p>',
    '<p>Your code</p><table><tr><td>4</td><td>8</td><td>2</td><td>9</td><td>1</td><td>3</td></tr></table>',
    '<p>Your code:</p><p>482913</p><p>Harbour, 12 Park Row, Albany NY 12207</p>',
    '<p>Use this code to confirm your account: 482913</p>',
    '<p>Your code for order 48213 is 482913</p>',
    '<p>Confirm your account</p><p>482913</p>',
    '<p>482913</p><p>https://a.test/4711</p>',
    '<p>The code for user 8812 is 482913.</p>',
    '<p>Your code for workspace 8812 is: 482913</p>',
    '<p>Max 5512 – code: 482913</p>',
    '<p>482913 is the passcode for your payment from an account with 4417.</p>',
    '<p>482913 is your passcode. The card ending 4417 will be charged.</p>',
    '<p>Codul dvs. de verificare este 482913. Comanda 8812345.</p>',
    '<p>482913 doğrulama kodunuzdur.</p>',
    '<p>【云书】482913 是您的登录验证码</p>',
    '<p>Votre mot de passe à usage unique : 482913</p>',
    '<p>Gib diesen Code ein:</p><p>48 29 13</p>',
    '<p>Your code</p><table><tr><td><p>4</p></td><td><p>8</p></td><td><p>2</p></td><td><p>9</p></td><td><p>1</p></td><td><p>3</p></td></tr></table>',
  ])('is the one of the code in %s', (html) => {
    expect(said({ html }).code()).toBe('482913');
  });
});

describe('No code is', () => {
  test.each([
    'Shop Inc., 1 Main Street, Springfield, CA, 94102',
    'Shop Inc · 12 Park Row · Albany NY 12207',
    'Shop, One Long Drive, Salem, Oregon 97301, USA',
    'Shop GmbH, Hauptstr. 5, 10115 Berlin, HRB 48213',
    'Amtsgericht Charlottenburg, HRB: 482130',
    '75011 Paris, France',
    'F-75011 Paris',
    'Harbour SL, Calle Mayor 1234, 28013 Madrid',
    'Harbour, 8001 Zürich, Schweiz',
    'Harbour Pty Ltd, Level 3, Sydney NSW 2000',
    '1 Raffles Place, Singapore 018956',
    '〒1000001 東京都千代田区',
    '〒100-0001 東京都千代田区',
    'ZIP code: 94102',
    'Postal code 94102',
    'Code postal : 75011',
    'Paid with Visa ending in 4242',
    'Visa •••• 4242',
    'Karte endet auf 4242',
    'Carte se terminant par 4242',
    '尾号4242',
    'Your order 48213 is on its way.',
    'Order number: 48213',
    'Order no. 48213',
    'Bestellnummer: 48213',
    'Ihre Rechnung Nr. 48213',
    'Votre commande 48213 est en route.',
    'Tu pedido 48213 va en camino.',
    'Customer ID: 482913',
    '注文番号：482913',
    '订单号：482913',
    '주문번호 482913',
    'Your promo code: 482913',
    'Rabattcode: 482913',
    'Company number 12345678',
    'Registered in England and Wales No. 12345678',
    'CVR 12345678',
    'Text STOP to 48213',
    'Tel.: 1234567',
    'Téléphone 1234567',
    'You have 4821 subscribers.',
    'Total: 48213',
    'Released on 20261124.',
    'Karte mit den Endziffern 7702',
    'Tarjeta terminada en 3391, autorización 084412',
    'Um romance de 1899',
    'Ab jetzt gilt die neue Postleitzahl:\n01744',
    'Ihre Kundennummer lautet 48213.',
    '神奈川県足柄下郡箱根町仙石原1245',
    '北京市海淀区中关村大街927号，100080',
    '서울특별시 강남구 테헤란로 1234',
    '会員10000人突破！',
    '새 책 1000권이 들어왔습니다.',
    'Meet us at booth 4820.',
    'Booth 4820',
    '商品编码：4821390',
    '상품코드 204817',
    '商品コード：4821390',
    'الرمز البريدي: 12211',
    'Il CAP è 16124.',
    'Posta kodu: 34710',
    'Промокод: 482913',
    'We sold 48213 of them.',
    'From your account ending 4417',
    'The user 48213 has joined.',
    'Use your voucher 48213 before Friday.',
  ])('in "%s"', (text) => {
    for (const html of [`<p>${text}</p>`, `<p>Hello Ann,</p><div><span>${text}</span></div>`])
      expect(said({ html }).content.codes.codes).toEqual([]);
    expect(said({ text }).content.codes.codes).toEqual([]);
  });

  test.each([
    '<span>Shop Inc.</span>, <span>1 Main Street</span>, <span>Denver</span>, <span>Colorado</span> <span>80202</span>',
    '<span>Denver</span>, <span>CO</span>, <span>80202</span>',
    'Shop Inc.<br>1 Main Street<br>Denver, Colorado<br>80202',
    'Shop Inc.<br>1 Main Street<br>Springfield<br>80202<br>USA',
    '<table><tr><td>Order number</td><td>48213</td></tr></table>',
    '<p>Order number</p><p><b>48213</b></p>',
    '<p>Kundennummer</p><p>482913</p>',
    '<table><tr><td>Chair</td><td>48213</td><td>2</td></tr></table>',
    '<p>Your week</p><h1>18420</h1><p>visitors this week</p>',
    '<p>Your week</p><h1>18420</h1><p>Besucher</p>',
    '<h1>1200</h1><p>happy customers</p>',
    '<h2>2140</h2><p>kcal</p>',
  ])('in parts of %s', (html) => {
    expect(said({ html }).content.codes.codes).toEqual([]);
    expect(said({ html: `<p>Your code is 482913.</p>${html}` }).code()).toBe('482913');
  });
});

describe('code(pattern)', () => {
  const html = '<p>Your code is <b>AB-12 CD</b>.</p><table><td>PIN:<td>12&nbsp;34</table>';

  test('returns its first group, or the match', () => {
    const { code } = said({ html });
    expect(code(/code is ([\w-]+ \w+)/)).toBe('AB-12 CD');
    expect(code(/[A-Z]{2}-\d\d [A-Z]{2}/gy)).toBe('AB-12 CD');
    expect(code(/PIN: (\d\d \d\d)/)).toBe('12 34');
  });

  test('says what it did not find, or found too often', () => {
    const { code } = said({ html });
    expect(() => code(/nothing/)).toThrow('It has no text that matches /nothing/: "Your code is AB-12 CD.');
    expect(() => code(/\d\d/)).toThrow(
      'It has several texts that match /\\d\\d/: "12" after "Your code is AB-", "34" after',
    );
  });
});

describe('A list of backup codes', () => {
  const titles = ['Backup codes:', 'Save these recovery codes', 'Deine Codes:', 'Sus códigos:'];
  const separators = [
    '\n',
    '\n\n',
    '\n- ',
    '\n• ',
    '\n[ ] ',
    '\n□ ',
    ', ',
    '; ',
    ' / ',
    ' | ',
    ' & ',
    ' – ',
    ' or ',
  ];
  const forms: ((code: string) => string)[] = [
    (code) => code,
    (code) => code.slice(2),
    (code) => `${code.slice(2, 5)} ${code.slice(5)}`,
    (code) => `${code.slice(2, 5)}-${code.slice(5)}`,
    (code) => `${code.slice(0, 4)} ${code.slice(4)}`,
    (code) => `${code.slice(0, 4)}-${code.slice(4)}`,
  ];

  test('has no code, whatever separates them, and the error lists them', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...titles),
        fc.constantFrom(...separators),
        fc.constantFrom(...forms),
        fc.uniqueArray(fc.integer({ min: 21_010_000, max: 99_999_999 }), { minLength: 2, maxLength: 10 }),
        (title, separator, form, codes) => {
          const first = /^\n\S+ ?/.test(separator) ? separator : '\n';
          const written = codes.map((code) => form(String(code)));
          const read = said({ text: `${title}${first}${written.join(separator)}` });
          const digits = [...new Set(written.map((one) => one.replace(/\D/g, '')))];
          fc.pre(digits.length > 1);
          expect(read.codes.slice(0, 2)).toEqual(digits.slice(0, 2));
          expect(read.code).toThrow(new RegExp(`"${digits[0] ?? ''}".*"${digits[1] ?? ''}"`));
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each(['Backup codes: 1) 482913 2) 482914', 'Here are your backup codes\n\n1. 482913\n2. 482914'])(
    'may be numbered, and the error has the numbers: %j',
    (text) => {
      expect(() => said({ text }).code()).toThrow(/"482913".*"482914"/);
    },
  );

  test('has none below a title of several words', () => {
    const { code } = said({ text: 'Códigos de recuperación:\n• 4829 1383\n• 4829 1384' });
    expect(code).toThrow(/"48291383".*"48291384"/);
  });

  test.each(['1) 4829 1383\n2) 4829 1384', '48291383  48291384\n48291385  48291386'])(
    'has no code if its digits may be of longer numbers: %j',
    (codes) => {
      expect(() => said({ text: `Backup codes:\n${codes}` }).code()).toThrow();
    },
  );
});

describe('The number', () => {
  test.each([
    ...[
      'returned',
      'responded with',
      'replied with',
      'failed with',
      'exited with',
      'crashed with',
      'aborted with',
    ],
    ...['rejected the payment with', 'terminated with the', 'failed (', 'failed:', 'exited with a non-zero'],
  ])('after "%s" belongs to a program', (verb) => {
    for (const code of ['code 5012', 'status code 50123'])
      expect(said({ text: `The server ${verb} ${code}.` }).codes).toEqual([]);
  });

  test.each([
    ...[
      'Error code',
      'Result code',
      'SMTP reply code',
      'Reason code',
      'Return code',
      'Error 5000: code',
      'Error: code',
    ],
    ...['Der Server antwortete mit Code', 'Der Server meldete den Code', 'Fehlercode', 'Fehler: Code'],
    ...[
      'Le serveur a renvoyé le code',
      'code d’erreur',
      "code d'erreur",
      'código de error',
      'código de erro',
    ],
    ...['El servidor devolvió el código', 'codice di errore', 'Foutcode', 'Felkod', 'Fejlkode', 'Feilkode'],
    ...[
      'Virhekoodi',
      'Kod błędu',
      'Kód chyby',
      'Hibakód',
      'Cod de eroare',
      'Hata kodu',
      'Код ошибки',
      'Код помилки',
    ],
    ...[
      'κωδικός σφάλματος',
      'kode kesalahan',
      'mã lỗi',
      'エラーコード',
      '오류 코드',
      '错误码',
      'رمز الخطأ',
      'קוד שגיאה',
    ],
  ])('of an error is not taken: %s', (title) => {
    for (const between of [' ', ': ']) expect(said({ text: `${title}${between}5012` }).codes).toEqual([]);
  });

  test.each(['internal server error', 'Upstream failed', 'connection timed out', 'Service unavailable'])(
    'before "%s" is not taken',
    (error) => {
      for (const between of [': ', ' – ', ' ('])
        expect(said({ text: `Code 5012${between}${error}` }).codes).toEqual([]);
    },
  );

  test.each([
    'rsize=4096',
    'PORT=8080',
    'PORT = 8080',
    'MAX="5000"',
    'status=5012',
    'a.b-c=4829',
    "errno = '5012'",
  ])('of a setting is not taken: %s', (setting) => {
    const text = `To use this, type mount -o ${setting} /mnt there.`;
    expect(said({ text }).codes).toEqual([]);
  });

  test.each([
    ...['Your PIN = 482913', 'code=482913', 'If it fails, use code 482913', 'Sign in with code 482913'],
    ...['If it failed, sign in with code 482913', 'No error? Your code: 482913', '482913 is your code.'],
    ...['Your login failed 3 times. Your new code: 482913', 'In case of an error, enter code 482913'],
    ...['Your payment failed. Code to retry: 482913', 'Code 482913: it works for 10 minutes.'],
  ])('after another word is the code: %s', (text) => {
    expect(said({ text }).code()).toBe('482913');
  });
});
