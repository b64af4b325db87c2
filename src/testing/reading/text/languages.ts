/**
 * Languages, with their words for a code and for unsubscribing. `…code` also ends longer words, such as `Bestätigungscode`; a word
 * for unsubscribing may begin a longer one, and in it `…` stands for up to 20 characters. docs/end-to-end-tests.md has this table.
 */
const TABLE = `
English | …code, …codes, pin, pins, otp, otps, totp, token, password, passwords, verification number, security number, login number, log-in number, sign-in number, one-time number, access number, secret number | unsub, opt out, opt-out, opt_out, optout, preferences, manage…email, manage…e-mail, manage…subscription
German | …code, …codes, lautet, tan, mtan, kennwort, passwort, einmalpasswort | abmeld, abbestell, austragen
Dutch | …code, …codes, wachtwoord | afmelden, uitschrij, schrijf je uit
French | …code, …codes, mot de passe | désinscri, desinscri, désabonn, desabonn
Spanish | …código, …códigos, codigo, clave, contraseña | darse de baja, darte de baja, date de baja, cancelar…suscri
Portuguese | …código, …códigos, senha, palavra-passe | cancelar…subscri, cancelar…inscri, cancelar…assina, descadastr
Italian | …codice | annullare…iscri, disiscri, cancellarsi, cancella…iscri
Romanian | …cod, …codul, …codurile, parola | dezabon
Danish | …kode, …koden, adgangskode | afmeld, frameld
Norwegian | …kode, …koden | avmeld
Swedish | …kod, …koden, lösenord | avregistrer, avprenumer
Finnish | …koodi, …koodisi, salasana | peruuta
Polish | …kod, …kodem, hasło | wypis, rezygn
Czech | …kód, …kódem, heslo | odhlásit
Slovenian | …koda | odjav
Hungarian | …kód, …kódja, …kódod, …kódot, jelszó | leiratkoz
Turkish | …kodu, …kodun, …kodunuz, …kodundur, …kodunuzdur, şifre, şifreniz, şifrenizdir, şifresi | abonelikten
Greek | …κωδικός, …κωδικό, …κωδικος | διαγραφή, απεγγραφή
Russian | …код, …кода, …кодом, пароль | отпис
Ukrainian | …код, пароль | відпис
Hebrew | קוד, הקוד | הסרה
Arabic | رمز, الرمز, رمزك, كود | إلغاء الاشتراك
Hindi | कोड, ओटीपी | सदस्यता समाप्त
Indonesian | …kode | berhenti berlangganan
Vietnamese | mã | hủy đăng ký
Thai | รหัส, โค้ด | ยกเลิก
Japanese | コード, 認証番号, 確認番号, 暗証番号, パスワード | 配信停止, 配信解除, 購読解除, 登録解除
Chinese | 验证码, 驗證碼, 验证代码, 驗證代碼, 确认码, 確認碼, 校验码, 校驗碼, 动态码, 動態碼, 安全码, 安全碼, 登录码, 口令, 密码, 密碼 | 退订, 退訂, 取消订阅, 取消訂閱
Korean | 코드, 인증번호, 인증 번호, 확인번호, 확인 번호, 보안번호, 보안 번호, 비밀번호 | 수신거부, 수신 거부, 구독취소, 구독 취소, 구독해지, 구독 해지
`;

/** The rows of the table: the name of a language, its words for a code, and those for unsubscribing. */
export const LANGUAGES = Array.from(TABLE.matchAll(/.+/g), ([row]) =>
  row.split(' | ').map((words) => words.split(', ')),
);
