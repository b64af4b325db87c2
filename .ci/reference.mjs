// A plugin of TypeDoc for the reference, for settings that TypeDoc has no option for.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Comment, CommentTag, Converter, PageEvent, ReflectionKind, RendererEvent } from 'typedoc';
import { beginWithCalls, classPage, withoutHierarchy } from './reference-classes.mjs';

/** The category of an export, by the file that declares it: the first match counts. Other entries have none. */
const CATEGORIES = [
  [/^src\/client\//, 'Client'],
  [/^src\/version\.ts$/, 'Client'],
  [/^src\/recipients\/options\.ts$/, 'Client'],
  [
    /^src\/transport\/(hooks|config|retry-policy|logger|tracing|call-summary|runtimes\/runtime-fetch)\.ts$/,
    'Client',
  ],
  [/^src\/core\/(api-promise|request-options|query|request)\.ts$/, 'Client'],
  [/^src\/core\/(journal|sending-journal)\.ts$/, 'Client'],
  [/^src\/resources\/(any-endpoint|base\/wait-options)\.ts$/, 'Client'],
  [/^src\/core\/.*error.*\.ts$/, 'Errors'],
  [/^src\/(core\/pager|resources\/base\/numbered-page)\.ts$/, 'Lists'],
  [/^src\/(throttle\/.*|core\/limits)\.ts$/, 'Rate limits'],
  [/^src\/(resources\/responses|core\/standard-schema)\.ts$/, 'Response schemas'],
  [/^src\/core\/settle-types\.ts$/, 'Data: sending'],
  [/^src\/resources\/sending\/(?:\w+\/)?([\w-]*types|attachment-content)\.ts$/, 'Data: sending'],
  [/^src\/resources\/campaigns\/[\w-]*types\.ts$/, 'Data: campaigns'],
  [/^src\/resources\/contacts\/[\w-]*types\.ts$/, 'Data: contacts'],
  [/^src\/resources\/email-logs\/[\w-]*types\.ts$/, 'Data: email logs'],
  [/^src\/resources\/stats\/[\w-]*types\.ts$/, 'Data: statistics'],
  [/^src\/resources\/suppressions\/[\w-]*types\.ts$/, 'Data: suppressions'],
  [/^src\/resources\/(templates|sending-domains)\/[\w-]*types\.ts$/, 'Data: templates and domains'],
  [/^src\/resources\/accounts\/[\w-]*types\.ts$/, 'Data: accounts'],
  [/^src\/resources\/[\w-]+\/[\w-]*types\.ts$/, 'Data: other'],
  [/^src\/resources\//, 'Resources'],
];

const fileOf = (context, reflection) =>
  context
    .getSymbolFromReflection(reflection)
    ?.declarations?.[0]?.getSourceFile()
    .fileName.replace(`${process.cwd()}/`, '');

function categorize(context, module) {
  for (const reflection of module.children) {
    if (reflection.kind === ReflectionKind.Namespace) categorize(context, reflection);
    // Another entry exports some types by their own names: there they are documented.
    const isElsewhere = reflection.kind === ReflectionKind.Reference;
    if (isElsewhere && module.kind !== ReflectionKind.Namespace) continue;
    const file = fileOf(context, isElsewhere ? reflection.getTargetReflectionDeep() : reflection) ?? '';
    const [, category] = CATEGORIES.find(([pattern]) => pattern.test(file)) ?? [];
    if (category === undefined) throw new Error(`${file} has no category in .ci/reference.mjs`);
    // The signatures of a function have its documentation.
    for (const documented of reflection.signatures ?? [reflection]) inCategory(documented, category);
  }
}

/** Leaves out the fields that an email must not have: they are there for the compiler. */
function withoutAbsentFields(project) {
  const isAbsent = ({ name, type }) =>
    (name === 'template_variables' && type?.name === 'undefined') ||
    [type, ...(type?.types ?? [])].some((one) => one?.qualifiedName?.includes('NotTogetherWith.'));
  for (const property of project.getReflectionsByKind(ReflectionKind.Property))
    if (isAbsent(property)) project.removeReflection(property);
}

/** Names a guide by its first heading instead of its file. */
function nameByHeading(document) {
  const [, name] = /^\s*# (.+)\n/.exec(document.content[0]?.text ?? '') ?? [];
  if (name === undefined) throw new Error(`${document.name}.md does not begin with a heading`);
  document.name = name;
}

/** The index page with links to all other guides, by task and by question. */
const INDEX = 'docs/README';

/** The groups of guides in the index: the name of each group, and its guides in order. */
function guidesByGroup() {
  const [, ...groups] = readFileSync(`${INDEX}.md`, 'utf8').split('\n## ');
  return groups
    .map((text) => ({
      group: text.split('\n')[0],
      guides: [...text.matchAll(/^- \[.*\]\(([\w/-]+)\.md\)/gm)].map(([, name]) => `docs/${name}`),
    }))
    .filter(({ guides }) => guides.length > 0);
}

/** The group of the entries of the package, in the navigation. */
const ENTRIES = 'Imports';

const inCategory = (reflection, category) => {
  reflection.comment ??= new Comment();
  reflection.comment.blockTags.push(new CommentTag('@category', [{ kind: 'text', text: category }]));
};

/** Sorts the guides into the groups and the order of the index: the index first, the changelog last. */
function groupGuides(app, project) {
  const groups = guidesByGroup();
  groups[0].guides.unshift(INDEX);
  groups.at(-1).guides.push('CHANGELOG');
  const listed = groups.flatMap(({ guides }) => guides);
  for (const document of project.documents) {
    const found = groups.find(({ guides }) => guides.includes(document.name));
    if (!found) throw new Error(`${INDEX}.md does not list ${document.name}.md`);
    inCategory(document, found.group);
  }
  for (const module of project.children) inCategory(module, ENTRIES);
  const order = [...groups.map(({ group }) => group), ENTRIES, ...app.options.getValue('categoryOrder')];
  app.options.setValue('categoryOrder', order);
  project.documents.sort((a, b) => listed.indexOf(a.name) - listed.indexOf(b.name));
  project.childrenIncludingDocuments = [...project.documents, ...project.children];
}

/** Turns the names of exports in code spans into links. */
function linkNames(parts, exports) {
  return parts.map((part, index) => {
    const target = part.kind === 'code' ? exports.get(part.text.slice(1, -1)) : undefined;
    const isInLink = parts[index - 1]?.text.endsWith('[') ?? false;
    const isInHeading = /(^|\n)#+ [^\n]*$/.test(parts[index - 1]?.text ?? '');
    if (target === undefined || isInLink || isInHeading) return part;
    return { kind: 'inline-tag', tag: '@linkcode', text: target.name, target };
  });
}

/** An address for a link of Markdown: a round bracket would end the link. */
const encoded = (url) => url.replaceAll('(', '%28').replaceAll(')', '%29');

/** The index of the built pages for programs (`llms.txt`): the guides in order, and the exports of each entry. */
function llmsText({ project, pages }, fileNames) {
  const { description } = JSON.parse(readFileSync('package.json', 'utf8'));
  const openingOf = (file) =>
    /^# .+\n+(\w[^]*?)[.:]?\n\n/m.exec(readFileSync(`${file}.md`, 'utf8'))?.[1].replace(/\s+/g, ' ');
  const urlOf = new Map(pages.map(({ model, url }) => [model, url]));
  const line = (name, model, text) =>
    `- [${name}](${encoded(urlOf.get(model))})${text === undefined ? '' : `: ${text.replace(/\]\([^)]*\)|\[/g, '')}`}`;
  const guides = project.documents.map((one) => line(one.name, one, openingOf(fileNames.get(one))));
  const summaryOf = ({ comment }) =>
    Comment.combineDisplayParts(comment?.summary)
      .split(/(?<=\.)\s/)[0]
      .replace(/\s+/g, ' ');
  const { children: modules } = project.categories.find(({ title }) => title === ENTRIES);
  const entries = modules.map((one) => line(one.name, one, summaryOf(one)));
  return `# ${project.name}\n\n> ${description}\n\n## Guides\n\n${guides.join('\n')}\n\n## Exports, by what is imported\n\n${entries.join('\n')}\n`;
}

export function load(app) {
  /** The names of the guides' files, before the headings replace them. */
  const fileNames = new Map();
  app.renderer.on(RendererEvent.END, (event) => {
    writeFileSync(join(event.outputDirectory, 'llms.txt'), llmsText(event, fileNames));
  });
  let titles = new Map();
  app.converter.on(
    Converter.EVENT_RESOLVE_END,
    ({ project }) => {
      titles = beginWithCalls(project);
      withoutHierarchy(project);
    },
    -1000,
  );
  app.renderer.on(PageEvent.END, (page) => {
    if (page.model.kind === ReflectionKind.Class || titles.has(page.model))
      page.contents = classPage(page.contents, titles.get(page.model));
  });
  app.converter.on(
    Converter.EVENT_RESOLVE_BEGIN,
    (context) => {
      const { project } = context;
      const modules = project.children;
      const [main] = modules.filter(({ name }) => name === 'email-platform');
      const schemas = modules.find(({ name }) => name === 'email-platform/schemas');
      categorize(context, main);
      withoutAbsentFields(project);

      const exports = new Map();
      for (const module of [main, ...modules].filter((one) => one !== schemas)) {
        for (const reflection of module.children) {
          if (!exports.has(reflection.name)) exports.set(reflection.name, reflection);
          if (reflection.kind !== ReflectionKind.Namespace) continue;
          for (const type of reflection.children) exports.set(type.getFriendlyFullName(), type);
        }
      }
      groupGuides(app, project);
      for (const document of project.documents) {
        fileNames.set(document, document.name);
        nameByHeading(document);
        document.content = linkNames(document.content, exports);
      }
      // The page already shows the name of the package above it.
      project.readme[0].text = project.readme[0].text.replace(/^\s*# .+\n/, '');
      project.readme = linkNames(project.readme, exports);

      // The fields of a schema are documented at its interface.
      const fields = Object.values(project.reflections)
        .filter(
          (one) => one.kind === ReflectionKind.Property && one.getFullName().startsWith(`${schemas.name}.`),
        )
        .filter((one) => !one.hasComment());
      app.options.setValue('intentionallyNotDocumented', [
        ...new Set(fields.map((one) => one.getFullName())),
      ]);
    },
    -1000,
  );
}
