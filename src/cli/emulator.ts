/** `email-platform emulator`: runs an emulator on a port. */
import { EMULATOR_TOKEN } from '../core/emulator-token.ts';
import { printableLines } from '../core/error-text.ts';
import { jsonText } from './json-text.ts';
import {
  CONTROL_TOKEN,
  HOST,
  isControlToken,
  ORIGIN,
  TOKEN,
} from '../testing/service/state/account/word-rules.ts';
import {
  isAllowedHost,
  isHost,
  isListenAddress,
  isLoopbackAddress,
} from '../testing/common/allowed-hosts.ts';
import { isOrigin } from '../testing/common/cors.ts';
import { fits, webUrl } from '../testing/declare/kind.ts';
import { signingSecret } from '../testing/encoding/random-secret.ts';
import { isToken } from '../testing/service/state/account/tokens.ts';
import { reportsOf } from '../testing/report/reports-of.ts';
import { webhookDelivery } from '../testing/emulator/emulator.ts';
import { FRESH_IDS } from '../testing/service/state/base/streams.ts';
import { createEmulator, type Emulator } from '../testing/index.ts';
import { readTemplates, watchTemplates, type TemplateWatch } from '../entries/templates/index.ts';
import { InvalidValue, type Command } from './command.ts';
import { conclusionOf, FollowedReport } from './emulator-report.ts';
import { greeting, settingsOf, writeSettings } from './emulator-settings.ts';
import { headersOf, limitOf, POOLS } from './emulator-values.ts';
import { Failure, messageOf } from './failure.ts';
import { offerPage } from './offer-page.ts';
import { shortLine } from './short-line.ts';
import { signatureHeaderOf } from './signature-header.ts';
import type { Surroundings } from './surroundings.ts';
import { linesOf, withProblems } from './templates-problems.ts';
import { SECRET_VARIABLE } from './trigger.ts';
import { lineOf } from './news-lines.ts';
import { addressOf, oneOf, port, positive, secretThat, text, textThat } from './values.ts';

/** The most bytes of a line about changed templates. */
const SHOWN_BYTES = 600;

const SEEN = 'Other users of this machine can see it in the list of its processes';

/** Adds the command. */
export function emulatorCommand(program: Command, surroundings: Surroundings): void {
  const command = program
    .command('emulator')
    .description('Runs an emulator of the service on this machine, for development and tests.');
  const options = {
    port: command
      .group('Connection')
      .takes('--port <number>', 'the port to listen on; 0 picks a free port', port, 4010),
    host: command.takes(
      '--host <address>',
      'the address to listen on, such as 0.0.0.0 in a container, where other machines can reach it; needs --token and --allow-host, and --control its --control-token',
      textThat('--host', isListenAddress, 'an address of this machine, such as 0.0.0.0'),
      '127.0.0.1',
    ),
    token: command.takes(
      '--token <token>',
      `the API token: letters, digits and . _ + / = - (default: a new random one at each start). ${SEEN}`,
      secretThat('--token', isToken, TOKEN),
    ),
    allowedHosts: command.takesMany(
      '--allow-host <host>',
      'another host name that requests may be for, such as that of a reverse proxy, besides localhost and the loopback addresses',
      textThat('--allow-host', isHost, HOST),
    ),
    origins: command.takesMany(
      '--cors <origin>',
      'the origin of browser pages that may call the emulator, such as http://localhost:5173',
      textThat('--cors', isOrigin, ORIGIN),
    ),
    expose: command.takes(
      '--expose <headers>',
      'the response headers that pages of --cors may read, separated by commas',
      headersOf,
    ),
    envFile: command.takes(
      '--write-env <file>',
      'write the connection settings into a file, for --env-file of Node and of this command; replaces an earlier one',
      text,
    ),
    isJson: command.allows('--json', 'print the connection settings as one line of JSON'),
    untilInputEnds: command.allows(
      '--until-stdin-closes',
      'end when the standard input closes, as at the end of the program that started this one',
    ),
    seed: command
      .group('Data of the account')
      .takes(
        '--seed <demo|empty>',
        'the initial data: demo by default, and empty with --write-env, so that a program finds only its own emails',
        oneOf('--seed', ['demo', 'empty']),
      ),
    accountId: command.takes(
      '--account-id <number>',
      'the id of the account, for an emulator that plays one of several accounts (default: 1001)',
      positive('--account-id'),
    ),
    templates: command.takes(
      '--templates <folder>',
      'templates of the account: a folder with one folder for each, such as emails; read again after each change',
      text,
    ),
    limits: command
      .group('Behaviour of the service')
      .takesMany(
        '--limit <pool=n/ms>',
        `the rate limit of a pool, such as token=20/10000, or token=off. Pools: ${POOLS.join(', ')}`,
        limitOf,
      ),
    isLimited: command.allows('--no-limits', 'turn off all rate limits'),
    window: command.takes(
      '--window <kind>',
      'how rate-limit windows behave: aligned, fixed or sliding',
      oneOf('--window', ['aligned', 'fixed', 'sliding']),
      'aligned',
    ),
    answers: command.takes(
      '--answers <specified|recorded>',
      'which source responses follow, if the sources about the service differ',
      oneOf('--answers', ['specified', 'recorded']),
      'specified',
    ),
    stopAfterEvents: command.allows(
      '--stop-after-events',
      'suppress an address that bounces, as the service does; without it, bounce@… bounces each time',
    ),
    forwardTo: command.takes(
      '--forward-webhooks <address>',
      `post every event to your receiver on this machine, such as localhost:3000/hooks, when it happens; signed with ${SECRET_VARIABLE}, or with a secret that is printed`,
      localAddress,
    ),
    signatureHeader: signatureHeaderOf(command, surroundings.env),
    hasControl: command
      .group('Page and control')
      .allows(
        '--control',
        'serve the page of emails and requests, and let other programs control the emulator at /_emulator: emails, clock, failures',
      ),
    controlToken: command.takes(
      '--control-token <token>',
      `the token of --control: at least 16 letters, digits and . _ + / = - (default: a new random one at each start). ${SEEN}`,
      secretThat('--control-token', isControlToken, CONTROL_TOKEN),
    ),
    opens: command.allows(
      '--open',
      'open the page in the browser, with --control; only on a terminal, never in CI',
    ),
    isQuiet: command.allows('--quiet', 'print no line for each email and each refusal'),
    report: command
      .group('Report as a file')
      .takes(
        '--report <file>',
        'write all emails and requests into this HTML file: a second after the last change, and at the end',
        text,
      ),
    failOn: command.takes(
      '--fail-on <error|warn>',
      'with --report: exit with 1 if its checks have a finding of this level, or a worse one',
      oneOf('--fail-on', ['error', 'warn']),
    ),
    site: command.takes(
      '--site <url>',
      'with --report: the address of your program, such as http://localhost:3000; links to it are not reported',
      textThat('--site', (url) => fits(webUrl, url), webUrl.what),
    ),
  };
  command.examples({
    'email-platform emulator --write-env .env.emulator': 'for a program: node --env-file=.env.emulator …',
    'email-platform emulator --open': 'with the page of emails and requests in your browser',
    'email-platform emulator --port 0 --seed empty --control': 'for the tests of another process',
    'email-platform emulator --forward-webhooks localhost:3000/hooks': 'to develop a receiver of webhooks',
    'email-platform emulator --report report.html --fail-on error': 'a page of all emails and requests',
    'email-platform emulator --templates emails': 'with the templates of your repository',
    'email-platform emulator --limit token=20/10000': 'to see what a program does at a limit',
  });
  command.action(async () => {
    const [origins, expose, controlToken] = [
      options.origins(),
      options.expose() ?? [],
      options.controlToken(),
    ];
    if (origins.length === 0 && expose.length > 0)
      command.error('--expose has no effect without --cors: it is for pages of those origins');
    if (controlToken !== undefined && !options.hasControl() && !options.opens())
      command.error('--control-token has no effect without --control');
    const isOpened = options.opens();
    const [host, token] = [options.host(), options.token()];
    const isOpen = !isLoopbackAddress(host);
    if (isOpen && (token === undefined || options.allowedHosts().length === 0))
      command.error(
        '--host lets other machines in: it needs --token, and --allow-host for the names by which they reach it',
      );
    if (isOpen && (options.hasControl() || isOpened) && controlToken === undefined)
      command.error('--host lets other machines in: --control then needs --control-token');
    const [file, failOn, site] = [options.report(), options.failOn(), options.site()];
    if (file === undefined && failOn !== undefined) command.error('--fail-on has no effect without --report');
    if (file === undefined && site !== undefined) command.error('--site has no effect without --report');
    const control = controlToken === undefined ? options.hasControl() || isOpened : { token: controlToken };
    const limits = Object.assign({}, ...options.limits()) as Emulator.Limits;
    const url = options.forwardTo();
    const fromEnv = surroundings.env[SECRET_VARIABLE] ?? '';
    const secret = fromEnv === '' ? signingSecret() : fromEnv;
    const signatureHeader = options.signatureHeader();
    const folder = options.templates();
    const envFile = options.envFile();
    const accountId = options.accountId();
    const { emulator, server } = await started(
      {
        token: token ?? randomToken(),
        seed: options.seed() ?? (envFile === undefined ? 'demo' : 'empty'),
        window: options.window(),
        answers: options.answers(),
        suppressions: { stopAfterEvents: options.stopAfterEvents() },
        limits: options.isLimited() ? limits : false,
        ...(accountId !== undefined && { accountId }),
        ...(folder !== undefined && { templates: await withProblems(() => readTemplates(folder)) }),
        webhooks: {
          ...(signatureHeader !== undefined && { signatureHeader }),
          ...(url !== undefined && { forward: { url, secret }, flushMs: 0 }),
          ...(url !== undefined && !options.isQuiet() && { receive: reported(surroundings) }),
        },
      },
      {
        port: options.port(),
        host,
        allowedHosts: options.allowedHosts(),
        cors: { origins, expose },
        control,
      },
    );
    try {
      const report = file === undefined ? undefined : await followed(emulator, file, site, surroundings);
      const made = url !== undefined && fromEnv === '' ? { [SECRET_VARIABLE]: secret } : {};
      const settings = settingsOf(server, made);
      if (envFile !== undefined) writeSettings(envFile, greeting(settings));
      if (isOpen) surroundings.err(openTo(host, control !== false));
      const watch = folder === undefined ? undefined : watched(emulator, folder, surroundings);
      surroundings.out(options.isJson() ? jsonText(settings) : greeting(settings));
      if (!options.isQuiet())
        reportsOf(emulator)?.follow((news) => surroundings.err(lineOf(news, surroundings)));
      if (settings.browserUrl !== undefined && !options.untilInputEnds())
        offerPage(settings.browserUrl, isOpened, surroundings);
      const { ended, inputEnds } = surroundings;
      await Promise.race([ended, ...(options.untilInputEnds() && inputEnds ? [inputEnds()] : [])]);
      watch?.close();
      if (report !== undefined) surroundings.err(conclusionOf(await report.end(), failOn));
    } finally {
      await server.close();
    }
  });
}

/** Delivers posts of webhooks as an emulator does, and says which fail. */
function reported(surroundings: Surroundings): (request: Request) => Promise<Response> {
  const deliver = webhookDelivery({}, () => true);
  return async (request) => {
    const tell = (status: number | null, reason: string) =>
      surroundings.err(
        lineOf({ at: Date.now(), status, method: 'POST', path: request.url, reason }, surroundings),
      );
    try {
      const response = await deliver(request);
      if (response.status !== 200) tell(response.status, 'the receiver of webhooks must respond with 200');
      return response;
    } catch (error) {
      tell(null, 'the receiver of webhooks did not respond');
      throw error;
    }
  };
}

/** Says what other machines can reach. */
const openTo = (host: string, hasControl: boolean) =>
  `Every machine that reaches ${host} can send requests; with the token it can read every mail${
    hasControl ? ', and with the control token the page and everything else' : ''
  }. Traffic is not encrypted.\n`;

/** The address of a receiver on this machine. A receiver on another machine might treat the events as real. */
function localAddress(input: string): string {
  const url = addressOf('--forward-webhooks')(input);
  if (isAllowedHost(new URL(url).host, [])) return url;
  throw new InvalidValue(`--forward-webhooks must be an address of this machine, not "${input}"`);
}

async function started(
  options: Emulator.Options,
  listen: Emulator.ListenOptions & { readonly port: number },
): Promise<{ emulator: Emulator; server: Emulator.Server }> {
  try {
    const emulator = createEmulator(Object.assign(options, { [FRESH_IDS]: true }));
    return { emulator, server: await emulator.listen(listen) };
  } catch (error) {
    throw new Failure(explain(error, listen.port));
  }
}

/** Writes a first report, so that a bad file name fails at the start, and then one after each change. */
async function followed(
  emulator: Emulator,
  file: string,
  site: string | undefined,
  { err }: Surroundings,
): Promise<FollowedReport> {
  const write = () => emulator.report(file, site === undefined ? {} : { site });
  const report = new FollowedReport(emulator, write, (message) => err(`${printableLines(message)}\n`));
  try {
    await report.write();
  } catch (error) {
    throw new Failure(messageOf(error));
  }
  return report;
}

/** Keeps the templates as they are in the folder, and says so. */
const watched = (emulator: Emulator, folder: string, { err }: Surroundings): TemplateWatch =>
  watchTemplates(emulator, folder, {
    onError: ({ problems }) => err(`${linesOf(problems)}\nThe emulator keeps the last good version.\n`),
    onChange: ({ folders }) => {
      if (folders.length > 0) err(`Read from ${folder}: ${shortLine(folders.join(', '), SHOWN_BYTES)}\n`);
    },
  });

/** A random token. Begins with a letter, because `--token` requires that. */
const randomToken = () =>
  `${EMULATOR_TOKEN}${Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64url')}`;

function explain(error: unknown, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use. Choose another with --port, or 0 for any free one.`;
  if (code === 'EADDRNOTAVAIL') return 'This machine does not have the address of --host.';
  if (code === 'EACCES')
    return `You do not have permission to use port ${port}. Choose one above 1023 with --port.`;
  return `The emulator could not start: ${messageOf(error)}`;
}
