import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LANGUAGES } from '../../../src/testing/reading/text/languages.ts';
import { unsubscribe } from '../../../src/testing/report/checks/html/unsubscribe.ts';
import { said } from './said.ts';

const guide = readFileSync(new URL('../../../docs/end-to-end-tests.md', import.meta.url), 'utf8');

/** A sentence with a code, and the text of a link that unsubscribes. */
const EXAMPLES: Readonly<Record<string, readonly [code: string, link: string]>> = {
  English: ['Your verification code is 482913.', 'Unsubscribe'],
  German: ['Ihre PIN für die Anmeldung lautet 482913.', 'Newsletter abbestellen'],
  Dutch: ['Je tijdelijke wachtwoord is 482913.', 'Afmelden voor de nieuwsbrief'],
  French: ['Votre mot de passe à usage unique : 482913', 'Se désabonner'],
  Spanish: ['Tu código de verificación es 482913.', 'Darse de baja'],
  Portuguese: ['A sua palavra-passe temporária é 482913.', 'Cancelar a subscrição'],
  Italian: ['Il tuo codice di verifica è 482913.', 'Annullare l’iscrizione'],
  Romanian: ['Codul de verificare este 482913.', 'Dezabonare'],
  Danish: ['Din bekræftelseskode er 482913.', 'Frameld nyhedsbrevet'],
  Norwegian: ['Bekreftelseskoden er 482913.', 'Avmelding'],
  Swedish: ['Din verifieringskod är 482913.', 'Avprenumerera'],
  Finnish: ['Vahvistuskoodisi on 482913.', 'Peruuta uutiskirje'],
  Polish: ['Twoje hasło jednorazowe to 482913.', 'Wypisz się'],
  Czech: ['Váš ověřovací kód je 482913.', 'Odhlásit odběr'],
  Slovenian: ['Vaša potrditvena koda je 482913.', 'Odjava od novic'],
  Hungarian: ['Az Ön ellenőrző kódja: 482913', 'Leiratkozás'],
  Turkish: ['Doğrulama kodunuz: 482913', 'Abonelikten çık'],
  Greek: ['Ο κωδικός επαλήθευσης είναι 482913.', 'Διαγραφή από τη λίστα'],
  Russian: ['Введите пароль: 482913', 'Отписаться'],
  Ukrainian: ['Ваш код підтвердження: 482913', 'Відписатися'],
  Hebrew: ['קוד האימות שלך הוא 482913', 'הסרה מרשימת התפוצה'],
  Arabic: ['رمز التحقق الخاص بك هو 482913', 'إلغاء الاشتراك'],
  Hindi: ['आपका सत्यापन कोड: 482913', 'सदस्यता समाप्त करें'],
  Indonesian: ['Kode verifikasi Anda adalah 482913.', 'Berhenti berlangganan'],
  Vietnamese: ['Mã xác nhận của bạn là 482913.', 'Hủy đăng ký nhận tin'],
  Thai: ['รหัสยืนยันของคุณคือ 482913', 'ยกเลิกการรับข่าวสาร'],
  Japanese: ['認証コードは482913です', 'メルマガの配信停止'],
  Chinese: ['您的验证码是482913，请勿泄露', '退订邮件'],
  Korean: ['인증번호는 482913입니다', '수신 거부'],
};

const codesIn = (text: string) => said({ text }).content.codes.codes.map(({ value, rank }) => [value, rank]);

/** Whether bulk mail is without a link to unsubscribe. The link stands before the last lines, where other words count. */
const isMissed = (link: string) => {
  const anchors = [{ href: 'https://news.example.com/x/8f2a', text: link, sentence: link }];
  const htmlText = `${link}\n${'A line about books.\n'.repeat(5)}`;
  const checked = { mail: { stream: 'bulk', headers: [] }, anchors, htmlText, plainText: '' };
  const given = [checked, {}] as unknown as Parameters<typeof unsubscribe>;
  return unsubscribe(...given).length > 0;
};

test('the guide has the table of languages', () => {
  const [, table = ''] = /\n## Languages\n[^|]*((?:\|.*\n)+)/.exec(guide) ?? [];
  const rows = table.trim().split('\n').slice(2);
  expect(
    rows.map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().split(', ')),
    ),
  ).toEqual(LANGUAGES);
});

test('each language has an example', () => {
  expect(Object.keys(EXAMPLES)).toEqual(LANGUAGES.map(([name]) => name?.[0]));
  expect(isMissed('Read more')).toBe(true);
});

describe.each(LANGUAGES.map(([[name = ''] = [], codes = [], links = []]) => ({ name, codes, links })))(
  '$name',
  ({ name, codes, links }) => {
    const [sentence = '', link = ''] = EXAMPLES[name] ?? [];

    test('has a code and a link in its example, by its own words', () => {
      const words = codes.map((word) => word.replace('…', ''));
      expect(words.some((word) => sentence.toLowerCase().includes(word))).toBe(true);
      expect(codesIn(sentence)).toEqual([['482913', 'introduced']]);
      expect(isMissed(link)).toBe(false);
    });

    test.each(codes)('knows a code by the word %s', (word) => {
      expect(codesIn(`${word.replace('…', '')}: 482913`)).toEqual([['482913', 'introduced']]);
      if (word.startsWith('…'))
        expect(codesIn(`${word.replace('…', 'sms')}: 482913`)).toEqual([['482913', 'introduced']]);
    });

    test.each(links)('knows a link by the words %s', (words) => {
      expect(isMissed(words.replace('…', ' that '))).toBe(false);
      expect(isMissed(words.replace('…', ' that is a little too long '))).toBe(words.includes('…'));
    });
  },
);
