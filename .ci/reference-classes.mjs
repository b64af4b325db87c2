// The pages of the client's groups of methods in the reference: titled as they are called (`client.sending`), with a call that
// can be pasted at the top, and without a list of the methods before them.
import { ReflectionKind } from 'typedoc';

const EXAMPLE = '@example';

/** The class that a property or a method of the client returns: exported as a type, it is an interface here. */
const classOf = (type) =>
  type?.type === 'reference' && type.reflection?.kindOf?.(ReflectionKind.ClassOrInterface)
    ? type.reflection
    : undefined;

/** The groups of methods that a class leads to, each with the words of its call. */
function groupsOf(owner, path, found = new Map()) {
  for (const member of owner.children ?? []) {
    const [signature] = member.signatures ?? [];
    const group = classOf(member.type ?? member.getSignature?.type ?? signature?.type);
    const isGroup = group?.extendedTypes?.some(({ name }) => /Resource$/.test(name));
    if (!isGroup || found.has(group)) continue;
    const call = `${path}.${member.name}${signature === undefined ? '' : `(${signature.parameters[0]?.name ?? ''})`}`;
    found.set(group, call);
    groupsOf(group, call, found);
  }
  return found;
}

/** The methods of a group, in the order of the source. */
const methodsOf = (group) =>
  group.children.filter(({ kind }) => kind === ReflectionKind.Method).flatMap(({ signatures }) => signatures);

/** A call for the top of a page: the first example of its methods, or the first method without a required argument. */
function callOf(group, path) {
  const methods = methodsOf(group);
  const example = methods
    .flatMap(({ comment }) => comment?.getTags(EXAMPLE) ?? [])
    .flatMap(({ content }) => content)
    .find(({ kind, text }) => kind === 'code' && text.includes(`${path}.`));
  if (example !== undefined) return example.text;
  const simple = methods.find(({ parameters = [] }) =>
    parameters.every(({ flags, defaultValue }) => flags.isOptional || defaultValue !== undefined),
  );
  const name = simple?.name;
  return name === undefined ? undefined : `\`\`\`ts\nconst found = await ${path}.${name}();\n\`\`\``;
}

/** Puts a call at the top of each group, and returns the titles of their pages. Throws if a group has none. */
export function beginWithCalls(project) {
  const client = project.children
    .flatMap(({ children }) => children)
    .find(({ name, kind }) => name === 'EmailPlatform' && kind === ReflectionKind.Class);
  const groups = groupsOf(client, 'client');
  const without = [];
  for (const [group, path] of groups) {
    const own = group.comment.getTags(EXAMPLE)[0];
    const call = own?.content[0]?.text ?? callOf(group, path);
    if (call === undefined) {
      without.push(`${group.name} (${path})`);
      continue;
    }
    if (own !== undefined) group.comment.removeTags(EXAMPLE);
    group.comment.summary.unshift({ kind: 'code', text: call.trim() }, { kind: 'text', text: '\n\n' });
  }
  if (without.length > 0) throw new Error(`These classes need an @example: ${without.join(', ')}`);
  return groups;
}

/** Takes the list of base classes from every class. */
export function withoutHierarchy(project) {
  for (const reflection of Object.values(project.reflections))
    if ('typeHierarchy' in reflection) reflection.typeHierarchy = undefined;
}

const INDEX = /<section class="tsd-panel-group tsd-index-group">[^]*?<\/details><\/section><\/section>/;

/** The page of a class: its title as it is called, and its members without a list of them before. */
export function classPage(html, title) {
  const page = html.replace(INDEX, '');
  return title === undefined
    ? page
    : page.replace(/<h1>(?:Class|Interface) [^]*?<\/h1>/, `<h1>${title}</h1>`);
}
