/**
 * The layers of the library: kit <- core <- throttle <- transport, and core <- resources. The client imports all five.
 * Every other entry imports kit, core, throttle, types of its area, and the client's port.
 */
const only = (name, path, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path },
  to: { pathNot: allowed },
});

/**
 * The rooms of src/testing, from below. A room imports itself and rooms before it, and nothing after it: no arrow points
 * upwards, and no two rooms import each other.
 */
const ROOMS = [
  'encoding',
  'declare',
  'common',
  'reading/text',
  'reading/html',
  'reading/content',
  'reading/message',
  'service/state/base',
  'service/state/emails',
  'service/wire',
  'service/state/account',
  'service/state/audience',
  'service/state/inboxes',
  'service/state/posts',
  'service/state/delivery',
  'service/state',
  'service/routing',
  'service/engine',
  'service/areas',
  'service',
  'report/data',
  'report/records',
  'report/checks/text',
  'report/checks/html',
  'report/checks',
  'report/mask',
  'report/collect',
  'report/preview',
  'report/file',
  'report/compare',
  'report',
  'emulator/controls',
  'emulator/control-api',
  'emulator/http',
  'emulator',
  'mailbox/sources',
  'mailbox',
  'journal-contract',
  'trigger',
];

/** The files of a room: of one with rooms in it, those beside these rooms. */
const filesOf = (room) =>
  `^src/testing/${room}/${ROOMS.some((other) => other.startsWith(`${room}/`)) ? '[^/]+$' : ''}`;

const roomsOfTesting = ROOMS.map((room, index) =>
  only(
    `testing-${room.replaceAll('/', '-')}`,
    filesOf(room),
    ['^(?!src/testing/)', ...ROOMS.slice(0, index + 1).map(filesOf)],
    `It knows of src/testing only the rooms before it in ROOMS: ${ROOMS.slice(0, index).join(', ') || 'none'}.`,
  ),
);

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-two-folders-import-each-other',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/(entries/)?[^/]+$' },
      to: { path: '^src/(entries/)?[^/]+$', circular: true },
    },
    {
      name: 'no-two-areas-import-each-other',
      severity: 'error',
      scope: 'folder',
      from: { path: '^src/(resources|testing/service/areas)/[^/]+$' },
      to: { path: '^src/(resources|testing/service/areas)/[^/]+$', circular: true },
    },
    {
      name: 'helpers-of-resources-know-no-area',
      severity: 'error',
      from: { path: '^src/resources/base/' },
      to: { path: '^src/resources/(?!base/)' },
    },
    {
      name: 'an-area-knows-no-list-of-all',
      severity: 'error',
      from: { path: '^src/resources/[^/]+/' },
      to: { path: '^src/resources/[^/]+$' },
    },
    {
      name: 'schemas-know-their-area',
      severity: 'error',
      from: { path: '^src/resources/([^/]+)/[\\w/-]*schemas\\.ts$' },
      to: { path: '^src/resources/', pathNot: ['^src/resources/(base|$1)/'] },
    },
    {
      name: 'only-the-methods-of-sending-know-batch-all',
      comment: 'A run of batches is made of emails and requests, not the other way round.',
      severity: 'error',
      from: { path: '^src/resources/sending/', pathNot: '^src/resources/sending/(batch/|sending\\.ts$)' },
      to: { path: '^src/resources/sending/batch/' },
    },
    {
      name: 'no-entry-imports-another',
      comment:
        'An entry is independent of the others, and of the client that it is given: it knows its port, and types.',
      severity: 'error',
      from: { path: '^src/entries/([^/]+)/' },
      to: { path: '^src/entries/', pathNot: '^src/entries/$1/' },
    },
    {
      name: 'the-client-imports-no-entry',
      severity: 'error',
      from: { path: '^src/(?!entries/|testing/|cli/)' },
      to: { path: '^src/entries/' },
    },
    only(
      'kit-stands-alone',
      '^src/kit/',
      ['^src/kit/'],
      'It knows no fact of the service, so both witnesses may use it.',
    ),
    only(
      'core-stands-alone',
      '^src/core/',
      ['^src/(core|kit)/', 'node_modules/@standard-schema/spec/'],
      'The vocabulary: no I/O, and of dependencies only types.',
    ),
    only(
      'recipients-know-core',
      '^src/recipients/',
      ['^src/(core|kit|recipients)/'],
      'It decides, and sends nothing.',
    ),
    only(
      'throttle-knows-core',
      '^src/throttle/',
      ['^src/(core|kit|throttle)/'],
      'The Redis throttle reuses it.',
    ),
    only(
      'transport-sends-a-call',
      '^src/transport/',
      ['^src/(core|kit|throttle|transport)/', 'node_modules/(ky|p-retry)/'],
      'It knows no area of the service.',
    ),
    only(
      'resources-know-core',
      '^src/resources/',
      ['^src/(core|kit|resources)/', 'node_modules/(type-fest|zod)/'],
      'Never the transport.',
    ),
    only(
      'client-puts-it-together',
      '^src/client/',
      ['^src/(core|kit|recipients|throttle|transport|resources|client)/', '^src/version\\.ts$'],
      'The only folder that knows all of them.',
    ),
    only(
      'redis-knows-the-throttle',
      '^src/entries/redis/',
      ['^src/(core|kit|throttle|entries/redis)/', 'node_modules/ioredis/', '^crypto$'],
      'A throttle like the local one, made of its parts.',
    ),
    only(
      'bottleneck-knows-the-throttle',
      '^src/entries/bottleneck/',
      ['^src/(core|kit|throttle|entries/bottleneck)/', 'node_modules/bottleneck/'],
      'The local throttle, and jobs of limiters beside it.',
    ),
    only(
      'proxy-borrows-the-client',
      '^src/entries/proxy/',
      ['^src/(core|kit|entries/proxy)/', '^src/client/port\\.ts$', '^src/resources/endpoints\\.ts$'],
      'Its routes are the declared endpoints; the caller gives it a client.',
    ),
    only(
      'schemas-are-those-of-the-areas',
      '^src/entries/schemas/',
      ['^src/entries/schemas/', '^src/resources/[\\w/-]*schemas\\.ts$'],
      'The entry only exports them.',
    ),
    only(
      'webhooks-know-core-and-types',
      '^src/entries/webhooks/',
      ['^src/(core|kit|entries/webhooks)/', '^src/resources/(webhooks|email-logs)/[\\w-]*types\\.ts$'],
      'A receiver needs no client.',
    ),
    only(
      'journal-knows-core',
      '^src/entries/journal/',
      ['^src/(core|kit|entries/journal)/', '^src/resources/email-logs/[\\w/-]*types\\.ts$'],
      'It keeps keys, and brings what a key does: of sending it knows the interfaces that it fills.',
    ),
    only(
      'nodemailer-borrows-the-client',
      '^src/entries/nodemailer/',
      [
        '^src/(core|kit|entries/nodemailer)/',
        '^src/client/port\\.ts$',
        '^src/version\\.ts$',
        '^src/resources/sending/[\\w/-]*types\\.ts$',
      ],
      'The caller gives it a client; nodemailer itself is never imported.',
    ),
    only(
      'diagnose-asks-the-client',
      '^src/entries/diagnose/',
      [
        '^src/(core|kit|entries/diagnose)/',
        '^src/client/port\\.ts$',
        '^src/resources/[\\w/-]*types\\.ts$',
        '^src/resources/sending-domains/verification\\.ts$',
      ],
      'The caller gives it a client, whose public methods it calls.',
    ),
    only(
      'opentelemetry-listens',
      '^src/entries/opentelemetry/',
      [
        '^src/(core|kit|entries/opentelemetry)/',
        '^src/transport/tracing\\.ts$',
        '^src/version\\.ts$',
        'node_modules/@opentelemetry/api/',
      ],
      'It knows the messages of the channels, and no client.',
    ),
    only(
      'handlebars-is-a-language',
      '^src/handlebars/',
      ['^src/(handlebars|kit)/', 'node_modules/@handlebars/parser/'],
      'It knows no email platform: the emulator and the templates render with it.',
    ),
    only(
      'templates-know-the-language',
      '^src/entries/templates/',
      [
        '^src/(core|kit|handlebars|entries/templates)/',
        '^src/client/port\\.ts$',
        '^src/resources/[\\w/-]*types\\.ts$',
        '^(fs|fs/promises|path|crypto)$',
      ],
      'Files and types; a caller gives it a client.',
    ),
    {
      name: 'handlebars-parser-in-one-file',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/handlebars/parse\\.ts$' },
      to: { path: 'node_modules/@handlebars/' },
    },
    {
      name: 'opentelemetry-takes-types-of-the-messages',
      severity: 'error',
      from: { path: '^src/entries/opentelemetry/' },
      to: { path: '^src/transport/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'opentelemetry-in-one-folder',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/entries/opentelemetry/' },
      to: { path: 'node_modules/@opentelemetry/' },
    },
    {
      name: 'schemas-are-passed-in',
      comment: 'A client holds the schemas it is given, and no others.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/entries/schemas/', '^src/resources/[\\w/-]*schemas\\.ts$'] },
      to: { path: ['^src/entries/schemas/', '^src/resources/[\\w/-]*schemas\\.ts$'] },
    },
    {
      name: 'ky-in-one-file',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/transport/runtimes/(runtime-fetch|load-ky)\\.ts$' },
      to: { path: 'node_modules/ky/' },
    },
    {
      name: 'p-retry-in-one-file',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/transport/retry\\.ts$' },
      to: { path: 'node_modules/p-retry/' },
    },
    {
      name: 'devalue-in-one-file',
      comment: 'It writes and reads the snapshots of the emulator.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/testing/service/state/snapshot\\.ts$' },
      to: { path: 'node_modules/devalue/' },
    },
    {
      name: 'parse5-in-one-file',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/testing/reading/html/html\\.ts$' },
      to: { path: 'node_modules/parse5/' },
    },
    {
      name: 'entities-in-two-files',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/testing/report/(?:mask/readings|compare/one-form)\\.ts$' },
      to: { path: 'node_modules/entities/' },
    },
    {
      name: 'diff-in-one-file',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/testing/report/compare/align\\.ts$' },
      to: { path: 'node_modules/diff/' },
    },
    {
      name: 'postal-mime-in-one-file',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/testing/reading/message/raw-mail\\.ts$' },
      to: { path: 'node_modules/postal-mime/' },
    },
    {
      name: 'fflate-in-one-file',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/testing/encoding/gzip\\.ts$' },
      to: { path: 'node_modules/fflate/' },
    },
    {
      name: 'noble-hashes-in-one-file',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/testing/encoding/hashes\\.ts$' },
      to: { path: 'node_modules/@noble/' },
    },
    {
      name: 'commander-in-one-file',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/command\\.ts$' },
      to: { path: 'node_modules/commander/' },
    },
    {
      name: 'bottleneck-in-one-file',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/entries/bottleneck/options\\.ts$' },
      to: { path: 'node_modules/bottleneck/' },
    },
    {
      name: 'zod-in-schemas-only',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: '^src/resources/([\\w/-]*schemas|base/schema-(of|issues))\\.ts$',
      },
      to: { path: 'node_modules/zod/' },
    },
    {
      name: 'emulator-is-the-other-witness',
      comment:
        'It shares no rule of the service with the client, or it could not check it; it may import types, what knows no service (kit), and the language of templates, which the client does not know.',
      severity: 'error',
      from: { path: '^src/testing/' },
      to: {
        path: '^src/',
        pathNot: ['^src/(testing|kit|handlebars)/', '^src/version\\.ts$'],
        dependencyTypesNot: ['type-only'],
      },
    },
    only(
      'page-shows-data',
      '^src/testing/report/page/',
      [
        '^src/kit/',
        '^src/testing/report/(page|data)/',
        '^src/testing/common/inert-links\\.ts$',
        'node_modules/preact/',
      ],
      'It knows the data, and no emulator.',
    ),
    {
      name: 'page-is-bundled',
      comment: 'Its modules run in a browser alone.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/testing/report/page/' },
      to: { path: ['^src/testing/report/page/', 'node_modules/preact/'] },
    },
    only(
      'mailbox-stands-in-the-emulator',
      '^src/testing/(mailbox|reading)/',
      ['^src/(testing|kit)/', 'node_modules/(parse5|postal-mime)/'],
      'It takes a client by its shape, and imports nothing of it, not even types.',
    ),
    ...roomsOfTesting,
    {
      name: 'client-never-reads-the-emulator',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(testing|cli)/'] },
      to: { path: '^src/(testing|cli)/' },
    },
    {
      name: 'client-knows-no-handlebars',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(handlebars|entries/templates|testing)/'] },
      to: { path: '^src/handlebars/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
