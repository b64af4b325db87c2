import type { World } from '../world.ts';

const TEMPLATES = [
  ['Welcome', 'Welcome, {{name}}', 'onboarding', 'We are glad that you are here.'],
  ['Password reset', 'Reset your password', 'account', 'Choose a new one within the hour.'],
  ['Receipt', 'Your receipt', 'orders', '{{#each items}}{{this.name}}: {{this.price}} {{/each}}'],
  [
    'Weekly digest',
    'Your week in short',
    'digest',
    '{{#if stories}}This happened.{{else}}A quiet week.{{/if}}',
  ],
] as const;

/** Adds a few templates, all of which take a name. */
export function seedTemplates({ templates, streams, accountId, clock }: World): void {
  const random = streams.of('demo mail');
  for (const [name, subject, category, line] of TEMPLATES) {
    const fields = {
      name,
      subject,
      category,
      bodyHtml: `<h1>${name}</h1><p>Hello {{name}}!</p><p>${line}</p>`,
      bodyText: `Hello {{name}}!\n\n${line}\n`,
    };
    templates.add(accountId, random.uuid(), fields, clock.now());
  }
}
